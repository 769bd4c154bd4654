#include "calls.h"

static Bool is_transfer(ExitKind kind)
{
   return kind == EXIT_JUMP || kind == EXIT_CALL || kind == EXIT_RETURN;
}

Transfer cg2_calls_classify(const Arrival* a)
{
   if (!a->has_context) return TRANSFER_START;
   if (a->kind == EXIT_CALL) return TRANSFER_CALL;
   if (!is_transfer(a->kind)) return TRANSFER_STAY;
   if (a->left_frames && a->kind == EXIT_RETURN) return TRANSFER_RESUME;
   if (a->same_function && !(a->at_entry && a->elsewhere))
      return a->left_frames ? TRANSFER_RESUME : TRANSFER_STAY;
   if (a->at_entry || a->elsewhere)
      return a->left_frames ? TRANSFER_REPLACE : TRANSFER_CALL;
   return a->left_frames ? TRANSFER_RESUME : TRANSFER_STAY;
}

UInt cg2_calls_count_left(const Frame* frames, UInt base, UInt depth,
                          ExitKind kind, Addr sp)
{
   /* A call has just pushed its own return address at sp, so a frame with that
      very sp is gone too. */
   UInt top = depth;
   while (top > base && frames[top - 1].sp != ~(Addr)0 &&
          (frames[top - 1].sp < sp ||
           (kind == EXIT_CALL && frames[top - 1].sp == sp)))
      top--;
   return depth - top;
}

void cg2_stack_grow(Stack* stack)
{
   stack->capacity = stack->capacity ? 2 * stack->capacity : 256;
   stack->frames = VG_(realloc)("cg2.frames", stack->frames,
                                stack->capacity * sizeof *stack->frames);
}

void cg2_stack_grow_active(Stack* stack)
{
   UInt n = 256;
   while (n <= cg2_code.n_functions)
      n *= 2;
   stack->active =
      VG_(realloc)("cg2.active", stack->active, n * sizeof *stack->active);
   VG_(memset)(stack->active + stack->n_active, 0,
               (n - stack->n_active) * sizeof *stack->active);
   stack->n_active = n;
}

void cg2_stack_free(Stack* stack)
{
   if (stack->frames) VG_(free)(stack->frames);
   if (stack->active) VG_(free)(stack->active);
   VG_(memset)(stack, 0, sizeof *stack);
}
