/* The threads of the process: which one runs, how they end, and what they
 * counted.
 *
 * A switch puts the contents of cg2_now aside, and takes the next thread's.
 * Contexts and arcs are shared by all threads. Threads are known by Valgrind's
 * numbers, which are used again after a thread's end. */
#ifndef CG2_THREADS_H
#define CG2_THREADS_H

#include "engine/thread.h"

/* Notes that thread `tid` begins, which the kernel knows by another number. */
void cg2_threads_begin(UInt tid, Int kernel_id);

/* Lets thread `tid` run from now on. False: it did already. */
Bool cg2_threads_switch(UInt tid);

/* Ends thread `tid`: its frames are popped, and its sums kept. */
void cg2_threads_end(UInt tid);

/* Begins the child of a fork: only `tid`, which runs, exists from now on, and
 * all counts start from zero. */
void cg2_threads_forked(UInt tid);

/* Forgets what is on the stacks of all threads, as nothing is instrumented from
 * now on. */
void cg2_threads_forget_stacks(void);

/*--- Questions ----------------------------------------------------------*/

/* The highest number that a thread may have. */
UInt cg2_threads_last(void);
/* The number of the thread that runs, or did last; 0: none. */
UInt cg2_threads_running(void);
Bool cg2_threads_is_running(UInt tid);
/* Thread `tid`; NULL if there is none. */
const Thread* cg2_threads_get(UInt tid);

/*--- Names ----------------------------------------------------------------*/

/* Notes that the program calls a thread, which the kernel knows by that number,
 * by a name. It may not have begun. */
void cg2_threads_add_name(Int kernel_id, const HChar* name);

/* What the program has called thread `tid`, and those that had its number
 * before: the first few names, with ", " between them. NULL: nothing. */
const HChar* cg2_threads_names(UInt tid);

/*--- Counts -------------------------------------------------------------*/

/* Charges arcs and contexts with what all open calls cost so far. */
void cg2_threads_flush(void);

/* What was counted since the last zero. */
typedef struct ThreadSums {
   Cost total;
   ULong n_skips; /* blocks of stubs that ran */
} ThreadSums;
/* The sums of thread `tid` and of those that had its number before; for 0, of
 * all threads that ever ran. */
ThreadSums cg2_threads_sums(UInt tid);

/* Adds `n` times `event` to what is collected of the threads that have this
 * context, but to no call: what it costs later that the context ran. */
void cg2_threads_charge(const Context* context, UInt event, ULong n);

/* Sets all counts of thread `tid`, or, for 0, of all, to zero. Open calls count
 * as called once. */
void cg2_threads_zero(UInt tid);

#endif
