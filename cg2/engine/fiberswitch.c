#include "engine/fiberswitch.h"

#include "engine/collection.h"

Addr cg2_fiberswitch_begin(void)
{
   Thread* t = &cg2_now;
   if (t->n_interrupted) return cg2_thread_sp();
   if (t->fiber != t->first) return t->regs.sp;
   if (!t->stack.start) t->stack.start = cg2_thread_sp();
   return ~(Addr)0;
}

/* Takes the stack from the thread, and returns the fiber that it is. */
static Fiber* stop(Thread* t)
{
   if (!t->fiber) {
      t->fiber = t->first = cg2_fibers_add(t->stack.start);
      t->first->is_own = True;
   }
   Fiber* f = t->fiber;
   cg2_stack_deactivate(&t->stack);
   f->stack = t->stack;
   cg2_cost_copy(f->total, t->account.total.of);
   f->thread = t->tid;
   f->is_off = t->collection.is_off;
   f->is_running = False;
   return f;
}

/* Gives the stack of `f` to the thread. What other stacks cost meanwhile is put
 * aside, as a handler's cost is. */
static void run(Thread* t, Fiber* f)
{
   if (t->collection.is_off) cg2_fibers_flush(f);
   t->stack = f->stack;
   cg2_stack_init(&f->stack);
   cg2_stack_activate(&t->stack);
   cg2_account_put_aside(&t->account, f->total);
   t->fiber = f;
   f->is_running = True;
   if (f->is_off != t->collection.is_off) cg2_collection_switch_frames(t);
}

/* Makes a fiber that begins at `sp`. What had its stack there is gone. */
static Fiber* make(Addr sp)
{
   Fiber* before;
   while ((before = cg2_fibers_over(sp)))
      cg2_fibers_drop(before);
   Fiber* f = cg2_fibers_add(sp);
   f->stack.start = sp;
   return f;
}

/* Drops the fibers that are gone when one has stopped: the fiber itself, if
 * nothing goes on there, and fibers that lie where it has frames. */
static void drop_gone(Fiber* stopped)
{
   Fiber* gone;
   while ((gone = cg2_fibers_overwritten(&stopped->stack)))
      cg2_fibers_drop(gone);
   if (cg2_fibers_has_ended(stopped)) cg2_fibers_drop(stopped);
}

/* The stopped fiber that the running thread goes on with when it arrives at
 * `block` with stack pointer `sp`; or NULL. */
static Fiber* find(ExitKind kind, Addr sp, const Block* block)
{
   if (!cg2_fibers_count()) return NULL;
   Fiber* f = cg2_fibers_find(kind, sp, block, cg2_now.first);
   Bool is_own = f && f->thread == cg2_now.tid;
   return is_own || !cg2_engine_config.are_threads_apart ? f : NULL;
}

void cg2_fiberswitch_arrive(const Exit* exit, Addr sp, const Block* block)
{
   Thread* t = &cg2_now;
   ExitKind kind = exit->kind;
   if ((kind != EXIT_JUMP && kind != EXIT_RETURN) || exit->is_fixed) return;
   if (t->n_interrupted || cg2_fibers_stays(&t->stack, kind, sp, block)) return;
   Fiber* f = find(kind, sp, block);
   if (!f && !cg2_fibers_is_elsewhere(&t->stack, sp, block)) return;
   if (!f) f = make(sp);
   Fiber* stopped = stop(t);
   run(t, f);
   drop_gone(stopped);
}
