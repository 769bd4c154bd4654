/* Turns: which thread of the program goes on.
 *
 * The core has one thread run at a time, but which one is next is the kernel's
 * choice. So threads have turns of the tool's own, in the order of Valgrind's
 * numbers. A thread that is not on turn is held back where the core looks
 * whether it shall end: when it begins, when it has stopped to run, and when a
 * system call is over. It gives its turn away when it has had its share of
 * instructions, when it waits, and when it ends. */
#ifndef CG2_TURNS_H
#define CG2_TURNS_H

#include "base/vg.h"

/* Called once, before the first thread begins. */
void cg2_turns_start(void);

/* Thread `tid` is about to be made, in place of one that has ended. */
void cg2_turns_create(ThreadId tid);
/* Thread `tid` begins: holds it back until it is on turn. */
void cg2_turns_begin(ThreadId tid);
/* Thread `tid` ends: the next is on turn as soon as the kernel has let the
 * thread go. */
void cg2_turns_end(ThreadId tid);
/* Only `tid` is left, in the child of a fork. */
void cg2_turns_forked(ThreadId tid);

/* Whether no other thread exists. */
Bool cg2_turns_is_alone(ThreadId tid);

/* Gives the turn away, and waits for the next one. */
void cg2_turns_pass(ThreadId tid);
/* Passes if the thread has had its share, unless it keeps the turn. */
void cg2_turns_share(ThreadId tid);
/* Whether the thread that has run keeps its turn until it runs again. */
void cg2_turns_keep(Bool is_kept);

/*--- Waiting ------------------------------------------------------------*/

/* Where something comes from that ends a wait. The later include the earlier.
 */
typedef enum WaitSource {
   FROM_PROCESS, /* a thread, or nothing */
   FROM_RUN,     /* another process of the run, too */
   FROM_OUTSIDE
} WaitSource;

/* What a thread waits for that cannot go on. */
typedef struct Wait {
   ULong until;       /* it goes on then; MOMENT_NEVER: something else must
                         happen */
   WaitSource source; /* what may happen until then */
} Wait;

/* Lets the others go on, and returns when the thread may look again whether it
 * can. True: its time has come. When all threads wait, the time goes on to what
 * comes first. Where something may come from the run, all its processes come so
 * far before, or wait longer; where it may come from outside, the time is as
 * fast as real time. */
Bool cg2_turns_wait(ThreadId tid, Wait wait);
/* The thread has found that it can go on. */
void cg2_turns_stop_waiting(ThreadId tid);

/* The moment until which the thread waits; now, if it does not. */
ULong cg2_turns_limit(ThreadId tid);

/* The thread goes into the kernel, for as long as that takes, and others go on;
 * it is back, and waits for its turn. */
void cg2_turns_leave(ThreadId tid);
void cg2_turns_return(ThreadId tid);

/* The thread asks the kernel, which mostly answers at once, or has answered. If
 * it does not, others go on. */
void cg2_turns_enter_kernel(ThreadId tid);
void cg2_turns_leave_kernel(ThreadId tid);

/* What the thread is asking the kernel for, which is the caller's; NULL:
 * nothing. */
void cg2_turns_note_question(ThreadId tid, const void* question);
const void* cg2_turns_question(ThreadId tid);

/* Whether the thread shall end. */
Bool cg2_turns_must_end(ThreadId tid);

#endif
