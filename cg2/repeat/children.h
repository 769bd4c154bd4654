/* The children of the process, and when it hears of their end.
 *
 * A child ends at a moment of the virtual time, which it has in common with who
 * has made it. Its parent hears of that by waiting, or by a signal, when its
 * own time has come so far: never earlier, in whatever order the kernel has run
 * them. So the kernel's SIGCHLD stays blocked, and the tool says it.
 *
 * Before a process hears that nothing has happened until some moment, all
 * others of the run have come so far, or sleep. */
#ifndef CG2_CHILDREN_H
#define CG2_CHILDREN_H

#include "repeat/call.h"

/* Source: waitid(2), and Linux's wait.h and siginfo.h. */
enum { OF_ALL, OF_PROCESS, OF_GROUP, OF_FILE };
enum {
   DOES_NOT_WAIT = 1,
   HAS_STOPPED = 2,
   HAS_ENDED = 4,
   GOES_ON = 8,
   STAYS = 0x1000000,
   OF_ALL_KINDS = 0x40000000
};
enum { NO_CHILD = 10 }; /* the error */

/* Whom a call waits for, as waitid says it. */
typedef struct Awaited {
   UWord kind;
   UInt id; /* the kernel's */
   UWord options;
} Awaited;

/* A child was made, which the kernel calls `real`. */
void cg2_children_add(UInt real);
/* A child of a fork has none. */
void cg2_children_forked(void);
/* Whether the process has some. */
Bool cg2_children_any(void);

/* Whether the signal that a child has ended can be there, for a thread that
 * waits until `until` at most; has it be there, and the time go on to that end.
 * 0: whether it is there, as an end was told. */
Bool cg2_children_signal_is_there(ULong until);
void cg2_children_tell(ULong until);
/* The program ignores the signal: what the kernel has said is not there. */
void cg2_children_ignore_signal(void);
/* The program computes: looks now and then whether the signal is there by
 * now. */
void cg2_children_look(void);
/* Has the program hear of all that have ended by now, once all others have come
 * so far. */
void cg2_children_catch_up(void);
/* Takes the signal, if it is there and wanted. */
Bool cg2_children_take_signal(const vki_sigset_t* wanted, vki_siginfo_t* info);

/* Whether the process has children that are awaited. */
Bool cg2_children_any_awaited(const Awaited* awaited);
/* The kernel's number of the one of which the program hears now; 0: of none
 * yet. */
UInt cg2_children_find(const Awaited* awaited);
/* Has the program hear of the next that ended until some moment, if there is
 * one by now. */
Bool cg2_children_tell_next(const Awaited* awaited, ULong until);
/* What one has spent of whose end the program hears, with its own children. */
ULong cg2_children_spent_by(UInt real);
/* The program was told of it. */
void cg2_children_waited(UInt real);

#endif
