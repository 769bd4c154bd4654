/* Stacks that the program switches between by itself: swapcontext, coroutines.
 *
 * A *fiber* is a stack that a program leaves for another, or goes to: a
 * thread's own stack becomes a fiber when the program first leaves it. While a
 * fiber runs, its frames are its thread's stack; else they are here. Nobody
 * tells of a switch: it is a jump or return to where no frame of the stack that
 * runs can go on.
 *
 * Source: swapcontext, boost.context and their like store what a call of them
 * must restore, load the same of another stack, and return or jump to where
 * that one called them; where a stack has not run yet, to a function's
 * beginning. */
#ifndef CG2_FIBERS_H
#define CG2_FIBERS_H

#include "engine/stack.h"

typedef struct Fiber {
   Addr start;      /* the stack pointer at its beginning */
   Stack stack;     /* its frames, while it does not run */
   Bool is_running; /* A thread runs on it. */
   Bool is_own;     /* A thread began on it; other fibers may lie in it. */
   Bool is_off;     /* The frames are those of off twins: see context.h. */
   UInt thread;     /* the number of the thread that ran it last */
   ULong total[];   /* the total of that thread when the fiber stopped */
} Fiber;

/* Makes a fiber, which runs, and begins with that stack pointer. */
Fiber* cg2_fibers_add(Addr start);
/* Charges the arcs of a fiber that does not run with what its calls cost. */
void cg2_fibers_flush(Fiber* f);
/* Flushes and forgets a fiber whose stack is not used any more. */
void cg2_fibers_drop(Fiber* fiber);
/* Sets the counts of fibers that do not run and that thread `tid` ran last, or,
 * for 0, of all, to zero. Open calls count as called once. */
void cg2_fibers_zero(UInt tid);

/* How many fibers there are. */
UInt cg2_fibers_count(void);
/* Fiber number `i`, counted from 0 in the order of where they begin. */
Fiber* cg2_fibers_get(UInt i);

/* Whether `sp` is at or below the function on top of the stack that runs, and
 * so near that code which jumps there has not gone to another stack. */
Bool cg2_fibers_is_near(const Stack* stack, Addr sp);

/* Whether code of `block`, reached with stack pointer `sp`, goes on with what
 * lies on a stack that does not run. */
Bool cg2_fibers_goes_on(const Stack* stack,
                        ExitKind kind,
                        Addr sp,
                        const Block* block);

/* Whether code of `block`, reached with stack pointer `sp`, goes on with what
 * lies on the stack that runs. The function on top may have put much there. */
Bool cg2_fibers_stays(const Stack* stack,
                      ExitKind kind,
                      Addr sp,
                      const Block* block);

/* The fiber where code of `block`, reached with stack pointer `sp`, goes on;
 * NULL if there is none. `first`, which others may lie in, is tried last,
 * unless it is NULL. */
Fiber*
cg2_fibers_find(ExitKind kind, Addr sp, const Block* block, Fiber* first);

/* Whether nothing can go on in the fiber: its first function has been left. */
Bool cg2_fibers_has_ended(const Fiber* fiber);

/* A fiber that lay where a stack begins now with stack pointer `sp`; or NULL.
 */
Fiber* cg2_fibers_over(Addr sp);
/* A fiber that begins below the stack, and lay where the stack has frames; or
 * NULL. */
Fiber* cg2_fibers_overwritten(const Stack* stack);

/* Whether code of `block`, reached with stack pointer `sp`, cannot be on the
 * stack that runs. */
Bool cg2_fibers_is_elsewhere(const Stack* stack, Addr sp, const Block* block);

#endif
