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

/*--- Where a call pushes nothing ----------------------------------------*/

/* The lowest frame with the entry `sp` is number `first`, the highest `top`. */
typedef struct SharedEntry {
   const Stack* stack;
   UInt first, top;
} SharedEntry;

/* The frames with the entry `sp`, when number `top` is on top. */
static SharedEntry level_at(const Stack* stack, UInt top, Addr sp)
{
   UInt i = top;
   while (i > stack->base &&
          cg2_guest_is_open(cg2_stack_frame(stack, i)->sp, sp))
      i--;
   return (SharedEntry){stack, i + 1, top};
}

/* The frame that is on top when control has returned to `block`; ~0: none of
 * the level returns there. */
static UInt top_after_return(const SharedEntry* level, const Block* block)
{
   for (UInt i = level->top; i >= level->first; i--)
      if (cg2_frame_returns_to(cg2_stack_frame(level->stack, i),
                               block->address))
         return i - 1;
   return ~0U;
}

/* The highest frame whose function runs `block`, of the level and the one that
 * it lies on; ~0 if there is none. */
static UInt top_that_runs(const SharedEntry* level, const Block* block)
{
   for (UInt i = level->top; i >= level->first - 1 && i > level->stack->base;
        i--)
      if (cg2_context_runs(cg2_stack_frame(level->stack, i)->arc->callee,
                           block))
         return i;
   return ~0U;
}

/* Whether the frame that lay on the level, and is gone, returns to `block`: it
 * has removed its arguments from the stack. */
static Bool is_behind_lower(const SharedEntry* level, const Block* block)
{
   const Frame* lower = cg2_stack_frame(level->stack, level->top + 1);
   return cg2_frame_returns_to(lower, block->address);
}

/* The frame that is on top when control has arrived at a function's beginning;
 * ~0 if it is not known. A call may be the last instruction in front of it. */
static UInt
top_at_entry(const SharedEntry* level, ExitKind kind, const Block* block)
{
   return kind == EXIT_RETURN ? top_after_return(level, block) : ~0U;
}

/* The frame that is on top when control has arrived in the middle of a
 * function; ~0 if it is not known. `has_left`: lower frames are gone. */
static UInt
top_inside(const SharedEntry* level, Bool has_left, const Block* block)
{
   UInt top = top_after_return(level, block);
   if (top != ~0U) return top;
   if (!has_left) return top_that_runs(level, block);
   return is_behind_lower(level, block) ? level->top : level->first - 1;
}

UInt cg2_transfer_count_gone(const Stack* stack,
                             ExitKind kind,
                             Addr sp,
                             const Block* block)
{
   UInt depth = cg2_stack_depth(stack);
   UInt left = cg2_transfer_count_left(stack, kind, sp);
   SharedEntry level = level_at(stack, depth - left, sp);
   if (level.first > level.top || (kind != EXIT_JUMP && kind != EXIT_RETURN))
      return left;
   UInt top = block->is_entry ? top_at_entry(&level, kind, block)
                              : top_inside(&level, left, block);
   Bool is_end = kind == EXIT_RETURN && level.first == stack->base + 1;
   if (top == ~0U) top = is_end ? stack->base : level.top;
   return depth - top;
}
