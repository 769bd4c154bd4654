/* All that one guest thread owns, and the one that runs.
 *
 * Generated code works on `cg2_now`, at a fixed address. A thread switch puts
 * its contents aside and takes the next thread's. */
#ifndef CG2_THREAD_H
#define CG2_THREAD_H

#include "calls.h"

/* Code that a signal interrupted, while the handler runs. */
typedef struct Interrupted {
   UInt home_number;
   Exit* exit;
   Addr exit_sp, stub_sp;
   Cost skipped;
   UInt base;      /* of the stack, before the handler */
   Addr sp;        /* when interrupted */
   Cost total;     /* when interrupted */
   Addr alt_start; /* the handler's own stack; start == end: it uses the */
   Addr alt_end;   /* interrupted one */
} Interrupted;

/* home_number between a call or return and the next block, also by way of a
 * stub. No home has such a number, so the next block's guard fails. */
enum { HOME_LEFT = 0, HOME_IN_STUB = ~0U };

typedef struct Thread {
   /* Read and written by generated code, so first: near offsets are short, and
      the first needs none. */
   Cost total;       /* of this thread, less aside, since the last zero */
   ULong* cells;     /* of context and home */
   UInt home_number; /* of the home of the block that runs, or as above */
   Exit* exit;       /* last exit taken that may have left a function */
   Addr sp;          /* the stack pointer at that exit */
   Addr stub_sp;     /* the stack pointer at the end of the last stub */
   Cost skipped;     /* in stubs, since the last arrival */
   /* Only used by C code. */
   Context* context; /* of the top frame; NULL with an empty stack */
   Stack stack;
   Interrupted* interrupted; /* innermost last */
   UInt n_interrupted, max_interrupted;
   ULong n_skips; /* passages through stubs */
   Cost
      aside; /* of handlers that have ended: no cost of what they interrupted */
} Thread;

/* Reason for a mutable file-scope object: generated code holds its address. */
extern Thread cg2_now;

/* The exit that led to the block that runs now, as far as it is known: not
 * every move inside an object stores its exit, but calls and returns do. */
Exit* cg2_thread_last_exit(void);

/* Thread `tid` runs from now on. False if it did already. */
Bool cg2_thread_switch(UInt tid);
/* Thread `tid` is gone: leaves its frames, keeps its totals. */
void cg2_thread_end(UInt tid);

/* The stack pointer of the thread that runs, at the start of a block. */
Addr cg2_thread_sp(void);

/* Slots were added to a home: cells may have moved. */
void cg2_thread_refresh(void);

/* A handler is about to run on cg2_now. `sp` is the interrupted stack pointer;
 * [alt_start, alt_end) is the handler's stack when it has its own. */
void cg2_thread_interrupt(Addr sp, Addr alt_start, Addr alt_end);
/* The handler has returned. */
void cg2_thread_resume(void);

/* The context that runs when the last exit has taken effect, as far as that is
 * no call; NULL if it is one, or nothing runs. For a guess: a handler that is
 * left by a jump is not seen. */
const Context* cg2_thread_expect(void);

/* What was spent in stubs on the way goes to `taker`. */
static inline void cg2_thread_settle(Cost* taker)
{
   cg2_cost_add(taker, &cg2_now.skipped);
   cg2_now.skipped = (Cost){{0}};
   cg2_now.n_skips++;
}

/* Leaves all frames that are gone when control arrives with stack pointer `sp`,
 * out of signal handlers too. Returns the arc of the outermost frame that was
 * left, or NULL if none was; *left_resolver as in calls.h. */
Arc* cg2_thread_leave(ExitKind kind, Addr sp, Bool* left_resolver);

/* Adds what open calls cost so far to their arcs. */
void cg2_thread_flush(void);

typedef struct ThreadSums {
   Cost total;
   ULong n_skips;
} ThreadSums;
/* Of all threads that ever ran, since the last zero. */
ThreadSums cg2_thread_sums(void);

/* Only `tid`, which runs, exists from now on, and all counts start from zero:
 * the child after a fork. Open calls count as called. */
void cg2_thread_forked(UInt tid);

#endif
