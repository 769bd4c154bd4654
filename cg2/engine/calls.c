#include "engine/calls.h"

#include "arch/guest.h"

static Bool is_transfer(ExitKind kind)
{
   return kind == EXIT_JUMP || kind == EXIT_CALL || kind == EXIT_RETURN;
}

Transfer cg2_calls_classify(const Arrival* a)
{
   if (!a->has_context) return TRANSFER_START;
   if (a->kind == EXIT_CALL) return TRANSFER_CALL;
   if (!is_transfer(a->kind)) return TRANSFER_STAY;
   if (a->left_resolver) return TRANSFER_REPLACE;
   /* No call is followed by a function's first instruction: the return address
      was overwritten, as return trampolines do. */
   if (a->left_frames && a->kind == EXIT_RETURN)
      return a->jump.to_entry ? TRANSFER_REPLACE : TRANSFER_RESUME;
   if (cg2_jump_is_call(&a->jump))
      return a->left_frames ? TRANSFER_REPLACE : TRANSFER_CALL;
   return a->left_frames ? TRANSFER_RESUME : TRANSFER_STAY;
}

/* Its stub pushed words above which the return address lies, at top->sp, and it
 * goes on with them gone. A function that returns leaves sp above. */
Bool cg2_calls_left_resolver(const Frame* top, ExitKind kind, Addr sp)
{
   return top->arc && top->arc->callee->function->is_resolver &&
          top->sp == sp && (kind == EXIT_JUMP || kind == EXIT_RETURN);
}

UInt cg2_calls_count_left(
   const Stack* stack, UInt base, UInt depth, ExitKind kind, Addr sp)
{
   UInt n = 0;
   const Frame* top = cg2_stack_frame(stack, depth);
   while (n < depth - base && top->sp != ~(Addr)0 &&
          cg2_guest_has_left(top->sp, sp, kind == EXIT_CALL)) {
      top = cg2_frame_below(top);
      n++;
   }
   return n;
}

/* Some programs have thousands of stacks. */
enum { FRAMES_MIN = 16 };

/* The floor of all stacks that never had a frame. Reason for a mutable
 * file-scope object: stacks point to it as they do to frames that are written;
 * the floor itself never is. */
static Frame floor;

void cg2_stack_init(Stack* stack)
{
   stack->frames = stack->top = stack->limit = stack->settled = &floor;
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

void cg2_stack_clear(Stack* stack)
{
   stack->top = stack->settled = stack->frames;
   stack->base = 0;
   stack->start = 0;
}

void cg2_stack_free(Stack* stack)
{
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

void cg2_stack_deactivate(Stack* stack)
{
   for (UInt i = cg2_stack_depth(stack); i > 0; i--)
      --*cg2_stack_frame(stack, i)->arc->active;
}

void cg2_stack_activate(Stack* stack)
{
   for (UInt i = cg2_stack_depth(stack); i > 0; i--)
      ++*cg2_stack_frame(stack, i)->arc->active;
}
