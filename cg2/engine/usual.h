/* Whether a transfer is a usual one: the same as the last time.
 *
 * A program that calls much transfers control every dozen instructions. The
 * usual transfers follow an arc that an exit or a block remembers, and look at
 * nothing that can be known beforehand. */
#ifndef CG2_USUAL_H
#define CG2_USUAL_H

#include "arch/guest.h"
#include "engine/thread.h"

/* Whether exit->recent went to `target`, and the same is translated there as
 * when it did. */
static inline Bool cg2_usual_target(const Exit* exit, Addr target)
{
   return exit->target == target && exit->generation == cg2_blocks.generation;
}

/* Whether a call would now enter arc->callee, and there is room for its
 * frame. */
static inline Bool cg2_usual_is_ready(const Arc* arc)
{
   const Stack* stack = &cg2_now.stack;
   return cg2_arc_fits(arc) && stack->top < stack->limit;
}

/* Whether a call with stack pointer `sp` leaves no frame. */
static inline Bool cg2_usual_is_deeper(Addr sp)
{
   return !cg2_guest_has_left(cg2_now.stack.top->sp, sp, True);
}

/* Whether a call from the block that runs is one by exit->recent again. */
static inline Bool cg2_usual_call(const Exit* exit, Addr sp)
{
   return exit->caller == cg2_now.current && cg2_usual_is_ready(exit->recent) &&
          cg2_usual_is_deeper(sp);
}

/* Whether a call that is on its way is one by `arc` again. */
static inline Bool cg2_usual_late_call(const Arc* arc, Addr sp)
{
   return arc && cg2_arc_caller(arc) == cg2_thread_context() &&
          cg2_usual_is_ready(arc) && cg2_usual_is_deeper(sp);
}

/* Whether a jump from the block that runs is a tail call by `arc` again. A jump
 * that might leave a handler is not usual. */
static inline Bool cg2_usual_tail_call(const Arc* arc, Addr sp)
{
   return arc && arc->caller_cells == cg2_now.current &&
          cg2_usual_is_ready(arc) &&
          !cg2_guest_has_left(cg2_now.stack.top->sp, sp, False) &&
          !cg2_now.n_interrupted;
}

/* Whether control that goes to `target` with stack pointer `sp` returns from
 * the frame's function. */
static inline Bool cg2_usual_return(const Frame* frame, Addr sp, Addr target)
{
   return frame->return_address == target && frame->sp == cg2_guest_entry(sp);
}

/* Whether a jump from the block that runs leaves neither frame nor handler. */
static inline Bool cg2_usual_leaves_nothing(Addr sp)
{
   const Frame* top = cg2_now.stack.top;
   return cg2_thread_has_arrived() && !cg2_guest_has_left(top->sp, sp, False) &&
          !cg2_now.n_interrupted && !top->arc->callee->function->is_resolver;
}

#endif
