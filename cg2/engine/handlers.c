#include "engine/handlers.h"

/*--- Begin --------------------------------------------------------------*/

/* Room for one more handler of the thread. */
static Interrupted* add(Thread* t)
{
   if (t->n_interrupted == t->max_interrupted) {
      t->max_interrupted = t->max_interrupted ? 2 * t->max_interrupted : 4;
      t->interrupted =
         VG_(realloc)("cg2.interrupted", t->interrupted,
                      t->max_interrupted * sizeof *t->interrupted);
   }
   return &t->interrupted[t->n_interrupted++];
}

/* Puts away what was spent in stubs by the code that is interrupted. A handler
 * may begin by a stub and be interrupted behind it. Nobody called there: the
 * first handler that arrives pays, and that is now the one that begins. */
static void save_stubs(Thread* t, Interrupted* i)
{
   if (t->current == &cg2_in_stub && cg2_thread_context() == NULL) {
      i->current = &cg2_left;
      cg2_cost_clear(i->skipped.of);
      return;
   }
   i->current = t->current;
   cg2_account_save_skipped(&t->account, &i->skipped);
   t->current = &cg2_left;
}

void cg2_handlers_begin(Addr address, Addr sp, Addr alt_start, Addr alt_end)
{
   Thread* t = &cg2_now;
   Interrupted* i = add(t);
   i->exit = t->regs.exit;
   i->exit_sp = t->regs.sp;
   i->stub_sp = t->stub_sp;
   i->base = t->stack.base;
   i->total = t->account.total;
   i->address = address;
   i->sp = sp;
   i->alt_start = alt_start;
   i->alt_end = alt_end;
   save_stubs(t, i);
   t->regs.exit = &cg2_thread_exits.start;
   t->regs.sp = 0; /* no return goes to where the handler begins */
   t->stack.base = cg2_stack_depth(&t->stack);
}

/*--- End ----------------------------------------------------------------*/

/* Ends the innermost handler: pops its frames, and puts its cost aside. */
static const Interrupted* end(void)
{
   Thread* t = &cg2_now;
   cg2_thread_pop_to(t->stack.base);
   const Interrupted* i = &t->interrupted[--t->n_interrupted];
   t->stack.base = i->base;
   cg2_account_put_aside(&t->account, i->total.of);
   return i;
}

void cg2_handlers_end_all(void)
{
   while (cg2_now.n_interrupted)
      end();
}

void cg2_handlers_return(void)
{
   Thread* t = &cg2_now;
   if (!t->n_interrupted) return;
   cg2_thread_charge_stubs(t);
   const Interrupted* i = end();
   t->current = i->current;
   t->stopped_at = i->address;
   t->regs.exit = i->exit;
   t->regs.sp = i->exit_sp;
   t->stub_sp = i->stub_sp;
   cg2_account_restore_skipped(&t->account, &i->skipped);
   cg2_thread_refresh();
}

/*--- Left by a jump -----------------------------------------------------*/

static Bool has_own_stack(const Interrupted* i)
{
   return i->alt_start != i->alt_end;
}

static Bool is_off_stack(const Interrupted* i, Addr sp)
{
   return sp < i->alt_start || sp > i->alt_end;
}

/* Whether handler number `n`, counted from 0, no longer runs when the stack
 * pointer is `sp`: `sp` is beyond where the handler interrupted, or off the
 * stack that the handler runs on, which is its own or that of another handler
 * which it interrupted. */
static Bool has_left_handler(const Thread* t, UInt n, Addr sp)
{
   const Interrupted* i = &t->interrupted[n];
   if (has_own_stack(i)) return is_off_stack(i, sp);
   if (sp >= i->sp) return True;
   while (n > 0) {
      const Interrupted* outer = &t->interrupted[--n];
      if (has_own_stack(outer) && !is_off_stack(outer, i->sp))
         return is_off_stack(outer, sp);
   }
   return False;
}

/* How many handlers go on when control arrives with stack pointer `sp`. */
static UInt count_running(const Thread* t, ExitKind kind, Addr sp)
{
   UInt n = t->n_interrupted;
   if (kind == EXIT_JUMP || kind == EXIT_RETURN)
      while (n > 0 && has_left_handler(t, n - 1, sp))
         n--;
   return n;
}

/* Charges what interrupted code number `n` spent in stubs, as it does not
 * go on. */
static void charge_stubs(Thread* t, UInt n)
{
   Interrupted* i = &t->interrupted[n];
   FrameLayer layer = cg2_handlers_layer(t, n);
   Context* context = layer.last < layer.first
                         ? NULL
                         : cg2_stack_frame(&t->stack, layer.last)->arc->callee;
   if (i->current == &cg2_in_stub)
      cg2_account_charge_lost(&t->account, cg2_graph_payer(i->exit, context),
                              i->skipped.of);
}

Arc* cg2_handlers_leave(ExitKind kind, Addr sp)
{
   Thread* t = &cg2_now;
   Arc* outermost = NULL;
   for (UInt n = count_running(t, kind, sp); t->n_interrupted > n;) {
      outermost = cg2_thread_leave_to(t->stack.base);
      charge_stubs(t, t->n_interrupted - 1);
      end();
   }
   return outermost;
}

/*--- All handlers -------------------------------------------------------*/

void cg2_handlers_charge_stubs(Thread* t)
{
   for (UInt n = t->n_interrupted; n > 0; n--)
      charge_stubs(t, n - 1);
}

/* How many frames lie under layer `n`. */
static UInt base_of(const Thread* t, UInt n)
{
   return n < t->n_interrupted ? t->interrupted[n].base : t->stack.base;
}

FrameLayer cg2_handlers_layer(const Thread* t, UInt n)
{
   UInt first = base_of(t, n) + 1;
   if (n == t->n_interrupted)
      return (FrameLayer){first, cg2_stack_depth(&t->stack),
                          t->account.total.of};
   return (FrameLayer){first, base_of(t, n + 1), t->interrupted[n].total.of};
}

void cg2_handlers_zero(Thread* t)
{
   for (UInt n = 0; n < t->n_interrupted; n++) {
      cg2_cost_clear(t->interrupted[n].total.of);
      cg2_cost_clear(t->interrupted[n].skipped.of);
   }
}
