#include "engine/transfer.h"

#include "arch/guest.h"

static Bool is_transfer(ExitKind kind)
{
   return kind == EXIT_JUMP || kind == EXIT_CALL || kind == EXIT_RETURN;
}

Transfer cg2_transfer_classify(const Arrival* a)
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

/* A resolver's stub pushed words above which the return address lies, at
 * top->sp, and the resolver goes on with the words gone. A function that
 * returns leaves the stack pointer above its return address. */
Bool cg2_transfer_leaves_resolver(const Frame* top, ExitKind kind, Addr sp)
{
   return top->arc && top->arc->callee->function->is_resolver &&
          top->sp == sp && (kind == EXIT_JUMP || kind == EXIT_RETURN);
}

UInt cg2_transfer_count_left(const Stack* stack, ExitKind kind, Addr sp)
{
   UInt n = 0, max = cg2_stack_depth(stack) - stack->base;
   const Frame* top = stack->top;
   while (n < max && top->sp != ~(Addr)0 &&
          cg2_guest_has_left(top->sp, sp, kind == EXIT_CALL)) {
      top = cg2_frame_below(top);
      n++;
   }
   return n;
}
