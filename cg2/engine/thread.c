#include "engine/thread.h"

#include "engine/transfer.h"

/* Reason for a mutable file-scope object: exits cache what followed them. No
 * transfer follows from these two, so what they cache stays NULL. */
ThreadExits cg2_thread_exits = {.start.kind = EXIT_START,
                                .none.kind = EXIT_NONE};

const Cells cg2_left, cg2_in_stub;

/* Reason for a mutable file-scope object: generated code and its probes, which
 * nothing is handed to, work on the running thread. The first block is
 * translated before the first thread runs, so there is one from the start. */
Thread cg2_now = {.current = &cg2_left, .regs.exit = &cg2_thread_exits.start};

void cg2_thread_hand_over(Thread* t, const Registers* from)
{
   Registers* to = &t->regs;
   to->until_dump = from->until_dump;
   to->counters = from->counters;
   to->history = from->history;
   to->marks = from->marks;
   cg2_account_count_from(&t->account, &to->counters);
}

void cg2_thread_init(Thread* t)
{
   Registers before = t->regs;
   VG_(memset)(t, 0, sizeof *t);
   cg2_thread_hand_over(t, &before);
   cg2_account_init(&t->account);
   t->collection.is_off = cg2_engine_config.starts_off;
   t->current = &cg2_left;
   t->regs.exit = &cg2_thread_exits.start;
   cg2_stack_init(&t->stack);
   cg2_stack_init(&t->forgotten);
}

/*--- Where the running thread is ----------------------------------------*/

Exit* cg2_thread_last_exit(void)
{
   return cg2_thread_has_arrived() ? &cg2_thread_exits.none : cg2_now.regs.exit;
}

const Context* cg2_thread_expect(void)
{
   const Stack* stack = &cg2_now.stack;
   const Exit* exit = cg2_thread_last_exit();
   if (cg2_thread_has_arrived()) return cg2_thread_context();
   if (exit->kind == EXIT_CALL || cg2_now.current == &cg2_in_stub) return NULL;
   UInt depth = cg2_stack_depth(stack);
   UInt gone = cg2_transfer_count_left(stack, exit->kind, cg2_now.regs.sp);
   return depth - gone > stack->base
             ? cg2_stack_frame(stack, depth - gone)->arc->callee
             : NULL;
}

Addr cg2_thread_sp(void)
{
   return VG_(get_SP)(cg2_now.tid);
}

/*--- What happens to the running thread ---------------------------------*/

void cg2_thread_refresh(void)
{
   cg2_now.regs.cells = cg2_now.current->counts;
}

void cg2_thread_complete(const Registers* regs)
{
   Account* a = &cg2_now.account;
   cg2_stack_settle(&cg2_now.stack, a->total.of, a->counted.of);
   cg2_account_complete(a, &regs->counters);
}

void cg2_thread_count(const Block* block, UInt instr, UInt event, ULong n)
{
   Context* context = cg2_thread_context();
   if (!context) return;
   ULong* counts = cg2_context_cells(context, block->home)->counts;
   counts[cg2_block_slot_of(block, instr, event)] += n;
   cg2_account_add(&cg2_now.account, event, n);
}

void cg2_thread_pop_to(UInt depth)
{
   while (cg2_stack_depth(&cg2_now.stack) > depth) {
      const Function* left = cg2_now.stack.top->arc->callee->function;
      cg2_stack_pop(&cg2_now.stack, cg2_now.account.total.of);
      if (left->rules->is_watched && cg2_function_active(left) == 0)
         cg2_engine_config.left(left);
   }
}

Arc* cg2_thread_leave_to(UInt depth)
{
   const Stack* stack = &cg2_now.stack;
   Arc* outermost = depth < cg2_stack_depth(stack)
                       ? cg2_stack_frame(stack, depth + 1)->arc
                       : NULL;
   cg2_thread_pop_to(depth);
   return outermost;
}

Arc* cg2_thread_pop(void)
{
   return cg2_thread_leave_to(cg2_stack_depth(&cg2_now.stack) - 1);
}

void cg2_thread_charge_stubs(Thread* t)
{
   const Stack* stack = &t->stack;
   Context* context =
      cg2_stack_is_empty(stack) ? NULL : stack->top->arc->callee;
   if (t->current == &cg2_in_stub)
      cg2_account_charge_lost(&t->account,
                              cg2_graph_payer(t->regs.exit, context),
                              t->account.skipped.of);
}

void cg2_thread_stop(Addr next)
{
   Counters* counters = &cg2_now.regs.counters;
   for (UInt i = COUNTER_PAIRS; i < COUNTERS_MAX; i++)
      counters->of[i] = 0;
   cg2_account_count_from(&cg2_now.account, counters);
   cg2_now.stopped_at = next;
}

void cg2_thread_go_on(Addr address)
{
   Thread* t = &cg2_now;
   if (address == t->stopped_at) return;
   if (cg2_thread_last_exit()->kind == EXIT_START) return;
   t->regs.exit = &cg2_thread_exits.none;
   t->regs.sp = cg2_thread_sp();
   if (t->current != &cg2_in_stub) t->current = &cg2_left;
}

void cg2_thread_run_unseen(void)
{
   cg2_now.is_unknown = True;
}

void cg2_thread_set_known(void)
{
   cg2_now.is_unknown = False;
}

void cg2_thread_set_clock(ULong ticks)
{
   Counters* counters = &cg2_now.regs.counters;
   counters->of[COUNTER_CLOCK] = ticks;
   cg2_account_count_from(&cg2_now.account, counters);
}

void cg2_thread_set_marks(const void* marks)
{
   cg2_now.regs.marks = marks;
}

void cg2_thread_set_until_dump(ULong n)
{
   cg2_now.regs.until_dump = n;
}

void cg2_thread_begin_syscall(ULong start, ULong cpu_start)
{
   cg2_now.syscall = (Syscall){cg2_now.regs.block, start, cpu_start};
}

Syscall cg2_thread_end_syscall(void)
{
   Syscall ended = cg2_now.syscall;
   cg2_now.syscall.block = NULL;
   return ended;
}
