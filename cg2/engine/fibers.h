/* Stacks that the program switches between by itself: swapcontext, coroutines.
 *
 * A *fiber* is such a stack; that of a thread, when the program first leaves
 * it, becomes one, too. While a fiber runs its frames are its thread's stack;
 * while it does not they are here. Nobody tells of a switch: it is a jump or
 * return to where no frame of the stack that runs can go on.
 *
 * Source: swapcontext, boost.context and their like store what a call of them
 * must restore, load the same of another stack, and return or jump to where
 * that one called them; where a stack has not run yet, to a function's
 * beginning. */
#ifndef CG2_FIBERS_H
#define CG2_FIBERS_H

#include "engine/stack.h"

typedef struct Fiber {
   Addr start;  /* as its stack's */
   Stack stack; /* while it does not run */
   Bool is_running;
   Bool is_own;   /* a thread's own; others may lie in it */
   Bool is_off;   /* its frames are those of twins: see context.h */
   UInt thread;   /* that ran it last */
   ULong total[]; /* costs of the thread, as its frames know them, when it
                     stopped */
} Fiber;

/* A new one, which runs and begins with that stack pointer. */
Fiber* cg2_fibers_add(Addr start);
/* Charges the arcs of a fiber that does not run with what its calls cost. */
void cg2_fibers_flush(Fiber* f);
/* Flushes and forgets a fiber whose stack is not used any more. */
void cg2_fibers_drop(Fiber* fiber);
/* Sets the counts of fibers that do not run and that thread `tid` ran last, or,
 * for 0, of all, to zero. Open calls count as called once. */
void cg2_fibers_zero(UInt tid);

UInt cg2_fibers_count(void);
/* In order of where they begin. */
Fiber* cg2_fibers_get(UInt i);

/* Whether a stack pointer is at or below the function on top of the stack that
 * runs, and so near that code which jumps has not gone to another stack. */
Bool cg2_fibers_is_near(const Stack* stack, Addr sp);

/* Whether code of `block`, reached with stack pointer `sp`, goes on with what
 * lies on a stack that does not run. */
Bool cg2_fibers_goes_on(const Stack* stack,
                        ExitKind kind,
                        Addr sp,
                        const Block* block);

/* Likewise, for the stack that runs. The function on top may have put much on
 * it. */
Bool cg2_fibers_stays(const Stack* stack,
                      ExitKind kind,
                      Addr sp,
                      const Block* block);

/* The fiber where it goes on; `first`, which others may lie in, or NULL, is
 * tried last. NULL if there is none. */
Fiber*
cg2_fibers_find(ExitKind kind, Addr sp, const Block* block, Fiber* first);

/* Whether nothing can go on there: its first function has been left. */
Bool cg2_fibers_has_ended(const Fiber* fiber);

/* A fiber that lay where a stack begins with this stack pointer; or NULL. */
Fiber* cg2_fibers_over(Addr sp);
/* One that begins below that stack, and lay where that has frames; or NULL. */
Fiber* cg2_fibers_overwritten(const Stack* stack);

/* Whether it cannot be on the stack that runs. */
Bool cg2_fibers_is_elsewhere(const Stack* stack, Addr sp, const Block* block);

#endif
