#include "engine/stack.h"

/* Little room, as some programs have thousands of stacks. */
enum { FRAMES_MIN = 16 };

/* The floor of all stacks that never had a frame. Stacks point to it as they do
 * to frames that are written; the floor itself never is. */
static const Frame floor;

void cg2_stack_init(Stack* stack)
{
   stack->frames = stack->top = stack->limit = stack->settled = (Frame*)&floor;
   stack->base = 0;
   stack->start = 0;
}

void cg2_stack_grow(Stack* stack)
{
   if (stack->top < stack->limit) return;
   Bool is_first = stack->frames == &floor;
   UInt depth = cg2_stack_depth(stack);
   UInt settled = cg2_stack_number(stack, stack->settled);
   UInt n = is_first ? FRAMES_MIN : 2 * (depth + 1);
   stack->frames = VG_(realloc)("cg2.frames", is_first ? NULL : stack->frames,
                                n * cg2_frame_size());
   if (is_first) *stack->frames = floor;
   stack->top = cg2_stack_frame(stack, depth);
   stack->limit = cg2_stack_frame(stack, n - 1);
   stack->settled = cg2_stack_frame(stack, settled);
}

/* Lets go of the steps of all frames, which are forgotten. */
static void release_steps(Stack* stack)
{
   if (!cg2_path_is_on()) return;
   for (UInt i = cg2_stack_depth(stack); i > 0; i--)
      cg2_stack_frame(stack, i)->step->n_open--;
}

void cg2_stack_clear(Stack* stack)
{
   release_steps(stack);
   stack->top = stack->settled = stack->frames;
   stack->base = 0;
   stack->start = 0;
}

void cg2_stack_free(Stack* stack)
{
   release_steps(stack);
   if (stack->frames != &floor) VG_(free)(stack->frames);
   cg2_stack_init(stack);
}

void cg2_stack_settle(Stack* stack, const ULong* total, const ULong* counted)
{
   while (!cg2_stack_is_settled(stack)) {
      Frame* frame = cg2_frame_above(stack->settled);
      Counters entered;
      cg2_cost_copy_counters(entered.of, frame->start);
      cg2_cost_copy(frame->start, total);
      cg2_cost_add_counted(frame->start, entered.of, counted);
      stack->settled = frame;
   }
}

void cg2_frame_charge_joined(const Frame* frame, const ULong* total)
{
   ULong n = frame->n_calls;
   cg2_cost_add_times(frame->arc->inclusive, total, frame->start, n);
   if (cg2_path_is_on())
      cg2_cost_add_times(frame->step->inclusive, total, frame->start, n);
}

void cg2_stack_flush(Stack* stack, UInt first, UInt last, const ULong* total)
{
   for (UInt i = first; i <= last; i++) {
      Frame* frame = cg2_stack_frame(stack, i);
      cg2_frame_charge(frame, total);
      cg2_cost_copy(frame->start, total);
   }
}

void cg2_stack_zero(Stack* stack)
{
   for (UInt i = cg2_stack_depth(stack); i > 0; i--)
      cg2_cost_clear(cg2_stack_frame(stack, i)->start);
}

void cg2_stack_recount(Stack* stack)
{
   for (UInt i = cg2_stack_depth(stack); i > 0; i--) {
      Frame* frame = cg2_stack_frame(stack, i);
      frame->arc->count += cg2_frame_calls(frame);
      if (cg2_path_is_on()) frame->step->count += cg2_frame_calls(frame);
   }
}

void cg2_stack_deactivate(Stack* stack)
{
   for (UInt i = cg2_stack_depth(stack); i > 0; i--) {
      Frame* frame = cg2_stack_frame(stack, i);
      *frame->arc->active -= cg2_frame_calls(frame);
   }
}

void cg2_stack_activate(Stack* stack)
{
   for (UInt i = cg2_stack_depth(stack); i > 0; i--) {
      Frame* frame = cg2_stack_frame(stack, i);
      *frame->arc->active += cg2_frame_calls(frame);
   }
}
