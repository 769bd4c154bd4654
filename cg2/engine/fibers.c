#include "engine/fibers.h"
#include "base/search.h"

#include "arch/guest.h"
#include "engine/transfer.h"

/* Reason for a mutable file-scope object: those of the process, by where they
 * begin. Which thread runs them may change. */
static struct {
   Fiber** all;
   UInt n, max;
} fibers;

UInt cg2_fibers_count(void)
{
   return fibers.n;
}

Fiber* cg2_fibers_get(UInt i)
{
   return fibers.all[i];
}

/* The number of the first fiber that begins at `sp` or above. */
static UInt first_from(Addr sp)
{
   return cg2_search_first(i, 0, fibers.n, fibers.all[i]->start < sp);
}

Fiber* cg2_fibers_add(Addr start)
{
   if (fibers.n == fibers.max) {
      fibers.max = fibers.max ? 2 * fibers.max : 16;
      fibers.all = VG_(realloc)("cg2.fibers", fibers.all,
                                fibers.max * sizeof *fibers.all);
   }
   UInt i = first_from(start);
   Fiber* fiber =
      VG_(calloc)("cg2.fiber", 1, sizeof *fiber + cg2_events.n * sizeof(ULong));
   fiber->start = start;
   fiber->is_running = True;
   cg2_stack_init(&fiber->stack);
   VG_(memmove)(&fibers.all[i + 1], &fibers.all[i],
                (fibers.n - i) * sizeof *fibers.all);
   fibers.all[i] = fiber;
   fibers.n++;
   return fiber;
}

void cg2_fibers_flush(Fiber* f)
{
   if (!f->is_running && !f->is_off)
      cg2_stack_flush(&f->stack, 1, cg2_stack_depth(&f->stack), f->total);
}

void cg2_fibers_zero(UInt tid)
{
   for (UInt i = 0; i < fibers.n; i++) {
      Fiber* f = fibers.all[i];
      if (f->is_running || (tid && f->thread != tid)) continue;
      cg2_cost_clear(f->total);
      cg2_stack_zero(&f->stack);
      if (!f->is_off) cg2_stack_recount(&f->stack);
   }
}

void cg2_fibers_drop(Fiber* fiber)
{
   cg2_fibers_flush(fiber);
   UInt i = first_from(fiber->start);
   while (fibers.all[i] != fiber)
      i++;
   fibers.n--;
   VG_(memmove)(&fibers.all[i], &fibers.all[i + 1],
                (fibers.n - i) * sizeof *fibers.all);
   cg2_stack_free(&fiber->stack);
   VG_(free)(fiber);
}

/* The stack pointer that the innermost function was entered with. */
static Addr innermost(const Stack* stack)
{
   Bool is_unknown = cg2_stack_is_empty(stack) || stack->top->sp == ~(Addr)0;
   return is_unknown ? stack->start : stack->top->sp;
}

/* Whether the function that stays on top runs `block`, when control arrives
 * there with stack pointer `sp`: the block is its own code, or, as a .cold half
 * may be, code in the middle of another function to which a call returns. */
static Bool
lands(const Stack* stack, ExitKind kind, Addr sp, const Block* block)
{
   UInt depth = cg2_stack_depth(stack);
   UInt n = cg2_transfer_count_gone(stack, kind, sp, block);
   const Frame* top = cg2_stack_frame(stack, depth - n);
   if (depth - n == stack->base) return False;
   return cg2_context_runs(top->arc->callee, block) ||
          (n && cg2_frame_returns_to(cg2_frame_above(top), block->address));
}

Bool cg2_fibers_goes_on(const Stack* stack,
                        ExitKind kind,
                        Addr sp,
                        const Block* block)
{
   /* A tail call; or, as boost.context's ontop_fcontext does, a function that
      takes the place of the one on top. */
   if (block->is_entry) return sp == innermost(stack);
   Bool is_on_it = sp >= innermost(stack) && sp <= stack->start;
   return is_on_it && lands(stack, kind, sp, block);
}

/* How many bytes a function may put on the stack before it leaves it by a jump.
 * Few functions have more there, and a new stack has more room. */
enum { NEAR = 4096 };

Bool cg2_fibers_is_near(const Stack* stack, Addr sp)
{
   Addr low = innermost(stack);
   return sp <= low && low - sp <= NEAR;
}

Bool cg2_fibers_stays(const Stack* stack,
                      ExitKind kind,
                      Addr sp,
                      const Block* block)
{
   Addr low = innermost(stack);
   return (sp < low && low - sp <= NEAR) || cg2_guest_is_open(low, sp) ||
          cg2_fibers_goes_on(stack, kind, sp, block);
}

/* Whether code of `block`, reached with stack pointer `sp`, goes on in the
 * fiber. */
static Bool
takes(const Fiber* fiber, ExitKind kind, Addr sp, const Block* block)
{
   if (!fiber || fiber->is_running) return False;
   if (block->is_entry && sp == fiber->start) return False; /* a new stack */
   return cg2_fibers_goes_on(&fiber->stack, kind, sp, block);
}

/* How many fibers may begin between a stack pointer and the beginning of its
 * stack: they lie in frames of that stack, or nobody uses them any more. */
enum { BETWEEN = 8 };

Fiber* cg2_fibers_find(ExitKind kind, Addr sp, const Block* block, Fiber* first)
{
   UInt from = first_from(sp);
   for (UInt i = from; i < fibers.n && i - from <= BETWEEN; i++)
      if (takes(fibers.all[i], kind, sp, block)) return fibers.all[i];
   return takes(first, kind, sp, block) ? first : NULL;
}

Bool cg2_fibers_has_ended(const Fiber* fiber)
{
   const Stack* stack = &fiber->stack;
   return !fiber->is_own &&
          (cg2_stack_is_empty(stack) || innermost(stack) > fiber->start);
}

/* The lowest stack pointer of a function that, when it is entered, returns to
 * where the fiber has frames. */
static Addr lowest(const Fiber* fiber)
{
   return cg2_guest_entry(innermost(&fiber->stack));
}

/* Whether a function on the stack was entered where the fiber has frames. Where
 * a call pushes nothing, the fiber may begin right below what called the
 * function, in whose frame it lies. */
static Bool overwrites(const Stack* stack, const Fiber* fiber)
{
   Addr low = lowest(fiber);
   UInt i = cg2_stack_depth(stack);
   while (i > 0 && cg2_stack_frame(stack, i)->sp < low)
      i--;
   Addr entry = cg2_stack_frame(stack, i)->sp;
   return i > 0 && entry <= fiber->start &&
          !cg2_guest_is_open(entry, fiber->start);
}

Fiber* cg2_fibers_overwritten(const Stack* stack)
{
   for (UInt i = first_from(innermost(stack)); i < fibers.n; i++) {
      Fiber* f = fibers.all[i];
      if (f->start >= stack->start) return NULL;
      if (!f->is_own && !f->is_running && overwrites(stack, f)) return f;
   }
   return NULL;
}

Fiber* cg2_fibers_over(Addr sp)
{
   UInt i = first_from(sp);
   if (i == fibers.n) return NULL;
   Fiber* f = fibers.all[i];
   Bool is_over = f->start == sp || lowest(f) <= sp;
   return is_over && !f->is_own && !f->is_running ? f : NULL;
}

/* Whether two addresses are near each other. */
static Bool is_near(Addr a, Addr b)
{
   return a < b ? b - a <= NEAR : a - b <= NEAR;
}

/* Whether a function of the stack may have been left with stack pointer `sp`.
 */
static Bool leaves_function(const Stack* stack, Addr sp)
{
   Addr entered = 0;
   UInt i = cg2_stack_depth(stack);
   for (; i > stack->base && cg2_stack_frame(stack, i)->sp < sp; i--)
      entered = cg2_stack_frame(stack, i)->sp;
   return sp - entered <= GUEST_LEFT_BEHIND;
}

Bool cg2_fibers_is_elsewhere(const Stack* stack, Addr sp, const Block* block)
{
   Addr low = innermost(stack);
   if (cg2_stack_is_empty(stack) || is_near(sp, low)) return False;
   if (block->is_entry) return !leaves_function(stack, sp);
   return (sp < low || sp > stack->start) &&
          !lands(stack, EXIT_JUMP, sp, block);
}
