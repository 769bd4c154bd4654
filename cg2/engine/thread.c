#include "engine/thread.h"

/* Reason for mutable file-scope objects: exits cache what followed them. No
 * transfer follows from these two, so what they cache stays NULL. */
static Exit start_exit = {.kind = EXIT_START};
static Exit no_exit = {.kind = EXIT_NONE};

const Cells cg2_left, cg2_in_stub;

/* Reason for a mutable file-scope object: generated code and its probes, which
 * nothing is handed to, work on the running thread. The first block is
 * translated before the first thread runs, so there is one from the start. */
Thread cg2_now = {.current = &cg2_left, .regs.exit = &start_exit};

/* Reason for a mutable file-scope object: configuration. */
ThreadConfig cg2_thread_config;

/* What goes on whichever thread runs. */
static void hand_over(Thread* t, const Registers* from)
{
   Registers* to = &t->regs;
   to->until_dump = from->until_dump;
   to->counters = from->counters;
   to->history = from->history;
   to->marks = from->marks;
   cg2_account_count_from(&t->account, &to->counters);
}

static void init(Thread* t)
{
   Registers before = t->regs;
   VG_(memset)(t, 0, sizeof *t);
   hand_over(t, &before);
   t->collection.is_off = cg2_thread_config.starts_off;
   t->current = &cg2_left;
   t->regs.exit = &start_exit;
   cg2_stack_init(&t->stack);
   cg2_stack_init(&t->forgotten);
}

/* The threads that do not run, by id, and who does. Reason for a mutable
 * file-scope object: the process has one set of threads. */
static struct {
   Thread* parked;
   ThreadSums* ended; /* of earlier threads with that id, and what threads are
                         charged with; [0]: with that, if they are together */
   UInt n;
   UInt running; /* 0 before the first */
} threads;

Addr cg2_thread_sp(void)
{
   return VG_(get_SP)(threads.running);
}

static void grow_parked(UInt tid)
{
   UInt n = threads.n ? threads.n : 4;
   while (n <= tid)
      n *= 2;
   threads.parked =
      VG_(realloc)("cg2.threads", threads.parked, n * sizeof *threads.parked);
   VG_(memset)(threads.parked + threads.n, 0,
               (n - threads.n) * sizeof *threads.parked);
   threads.ended =
      VG_(realloc)("cg2.threads", threads.ended, n * sizeof *threads.ended);
   VG_(memset)(threads.ended + threads.n, 0,
               (n - threads.n) * sizeof *threads.ended);
   threads.n = n;
}

void cg2_thread_complete(const Registers* regs)
{
   Account* a = &cg2_now.account;
   cg2_stack_settle(&cg2_now.stack, a->total.of, a->counted.of);
   cg2_account_complete(a, &regs->counters);
}

void cg2_thread_stop(Addr next)
{
   Counters* counters = &cg2_now.regs.counters;
   for (UInt i = COUNTER_PAIRS; i < COUNTERS_MAX; i++)
      counters->of[i] = 0;
   cg2_account_count_from(&cg2_now.account, counters);
   cg2_now.stopped_at = next;
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

Exit* cg2_thread_last_exit(void)
{
   return cg2_thread_has_arrived() ? &no_exit : cg2_now.regs.exit;
}

void cg2_thread_go_on(Addr address)
{
   Thread* t = &cg2_now;
   if (address == t->stopped_at) return;
   if (cg2_thread_last_exit()->kind == EXIT_START) return;
   t->regs.exit = &no_exit;
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

void cg2_thread_refresh(void)
{
   cg2_now.regs.cells = cg2_now.current->counts;
}

Bool cg2_thread_is_running(UInt tid)
{
   return tid == threads.running;
}

Bool cg2_thread_switch(UInt tid)
{
   if (tid == threads.running) return False;
   if (tid >= threads.n) grow_parked(tid);
   if (threads.running) {
      cg2_stack_deactivate(&cg2_now.stack);
      threads.parked[threads.running] = cg2_now;
   }
   Registers before = cg2_now.regs;
   cg2_now = threads.parked[tid];
   VG_(memset)(&threads.parked[tid], 0, sizeof cg2_now);
   if (!cg2_now.regs.exit) init(&cg2_now);
   hand_over(&cg2_now, &before);
   cg2_stack_activate(&cg2_now.stack);
   threads.running = tid;
   cg2_thread_refresh();
   return True;
}

/* `skipped` was spent in stubs on the way of a call by `exit` in `context` that
 * has not arrived, or, if that is no exit of a block, on the way of no call.
 * Without a context it is no cost of anybody. */
static void settle(Thread* t,
                   Exit* exit,
                   Context* context,
                   const Cells* current,
                   ULong* skipped)
{
   if (current != &cg2_in_stub) return;
   if (context && exit->block)
      cg2_account_charge(cg2_arc_skipped(cg2_graph_lost(exit, context)),
                         skipped);
   else if (context)
      cg2_account_charge(cg2_context_skipped(context), skipped);
   else
      cg2_account_forget_skipped(&t->account, skipped);
}

/* That of frame number `depth`, if any frames lie on `base`. */
static Context* context_at(const Stack* stack, UInt depth, UInt base)
{
   return depth > base ? cg2_stack_frame(stack, depth)->arc->callee : NULL;
}

static void settle_running(Thread* t)
{
   const Stack* stack = &t->stack;
   Context* context = context_at(stack, cg2_stack_depth(stack), stack->base);
   settle(t, t->regs.exit, context, t->current, t->account.skipped.of);
}

/* For code that was interrupted in a stub and does not go on; `depth` is that
 * of its frames. */
static void settle_interrupted(Thread* t, Interrupted* i, UInt depth)
{
   Context* context = context_at(&t->stack, depth, i->base);
   settle(t, i->exit, context, i->current, i->skipped.of);
}

/* The frames first..last have cost up to `total`. */
static void
flush_frames(const Stack* stack, UInt first, UInt last, const ULong* total)
{
   for (UInt i = first; i <= last; i++) {
      Frame* frame = cg2_stack_frame(stack, i);
      cg2_cost_add_difference(frame->arc->inclusive, total, frame->start);
      cg2_cost_copy(frame->start, total);
   }
}

static void settle_all(Thread* t)
{
   settle_running(t);
   UInt depth = t->stack.base;
   for (UInt n = t->n_interrupted; n > 0; n--) {
      settle_interrupted(t, &t->interrupted[n - 1], depth);
      depth = t->interrupted[n - 1].base;
   }
}

/* Where nothing is collected nobody wants to know. */
static void flush(Thread* t)
{
   settle_all(t);
   if (t->collection.is_off) return;
   UInt last = cg2_stack_depth(&t->stack);
   UInt base = t->stack.base;
   const ULong* total = t->account.total.of;
   for (UInt n = t->n_interrupted;; n--) {
      flush_frames(&t->stack, base + 1, last, total);
      if (n == 0) return;
      last = base;
      base = t->interrupted[n - 1].base;
      total = t->interrupted[n - 1].total.of;
   }
}

static void flush_fiber(Fiber* f)
{
   if (!f->is_running && !f->is_off)
      flush_frames(&f->stack, 1, cg2_stack_depth(&f->stack), f->total);
}

static void drop_fiber(Fiber* f)
{
   flush_fiber(f);
   cg2_fibers_drop(f);
}

Cost cg2_thread_cost(const Thread* t)
{
   const Collection* c = &t->collection;
   Cost all = c->is_off ? c->since : cg2_account_expense(&t->account),
        sum = {{0}};
   cg2_cost_add_difference(sum.of, all.of, c->excluded.of);
   return sum;
}

static void add_sums(ThreadSums* sums, const Thread* t)
{
   Cost own = cg2_thread_cost(t);
   cg2_cost_add(sums->total.of, own.of);
   sums->n_skips += t->account.n_skips;
}

static Thread* thread_of(UInt tid)
{
   if (tid == threads.running) return &cg2_now;
   return tid < threads.n ? &threads.parked[tid] : NULL;
}

UInt cg2_thread_last(void)
{
   return threads.n ? threads.n - 1 : 0;
}

UInt cg2_thread_running(void)
{
   return threads.running;
}

const Thread* cg2_thread_get(UInt tid)
{
   const Thread* t = thread_of(tid);
   return t && t->regs.exit ? t : NULL;
}

/* It is a stack like any other: no thread began on it that there still is. */
static void disown(Fiber* f)
{
   f->is_own = False;
   for (UInt tid = 1; tid < threads.n; tid++)
      if (thread_of(tid)->first == f) thread_of(tid)->first = NULL;
}

/* Other threads may run the fibers that it has run, its own stack among them;
 * and the one that it runs may be another's own. */
static void free_thread(Thread* t)
{
   Fiber* own = t->first;
   if (own) disown(own);
   if (own && !own->is_running) drop_fiber(own);
   if (t->fiber) {
      disown(t->fiber);
      drop_fiber(t->fiber);
   }
   cg2_stack_free(&t->stack);
   if (t->interrupted) VG_(free)(t->interrupted);
   cg2_stack_free(&t->forgotten);
   VG_(memset)(t, 0, sizeof *t);
}

/* A handler begins by a stub and is interrupted behind it. Nobody called there:
 * the first handler that arrives pays, which is now the next one. */
static void pass_stub_on(Interrupted* i)
{
   i->current = &cg2_left;
   cg2_cost_clear(i->skipped.of);
}

void cg2_thread_interrupt(Addr address, Addr sp, Addr alt_start, Addr alt_end)
{
   Thread* t = &cg2_now;
   Bool begins_by_stub =
      t->current == &cg2_in_stub && cg2_thread_context() == NULL;
   if (t->n_interrupted == t->max_interrupted) {
      t->max_interrupted = t->max_interrupted ? 2 * t->max_interrupted : 4;
      t->interrupted =
         VG_(realloc)("cg2.interrupted", t->interrupted,
                      t->max_interrupted * sizeof *t->interrupted);
   }
   Interrupted* i = &t->interrupted[t->n_interrupted++];
   i->current = t->current;
   i->address = address;
   i->exit = t->regs.exit;
   i->exit_sp = t->regs.sp;
   i->stub_sp = t->stub_sp;
   i->base = t->stack.base;
   i->sp = sp;
   i->total = t->account.total;
   i->alt_start = alt_start;
   i->alt_end = alt_end;
   if (begins_by_stub)
      pass_stub_on(i);
   else {
      cg2_account_save_skipped(&t->account, &i->skipped);
      t->current = &cg2_left;
   }
   t->regs.exit = &start_exit;
   t->regs.sp = 0; /* no return goes to where the handler begins */
   t->stack.base = cg2_stack_depth(&t->stack);
}

static void pop_to(UInt depth)
{
   while (cg2_stack_depth(&cg2_now.stack) > depth) {
      const Function* left = cg2_now.stack.top->arc->callee->function;
      cg2_stack_pop(&cg2_now.stack, cg2_now.account.total.of);
      if (left->rules->is_watched && cg2_function_active(left) == 0)
         cg2_thread_config.left(left);
   }
}

/* The innermost handler is over: its frames are left, and its cost is put
 * aside, out of the inclusive costs of what it interrupted. */
static const Interrupted* end_handler(void)
{
   Thread* t = &cg2_now;
   pop_to(t->stack.base);
   const Interrupted* i = &t->interrupted[--t->n_interrupted];
   t->stack.base = i->base;
   cg2_account_put_aside(&t->account, i->total.of);
   return i;
}

/* The running thread ends in the middle of its calls. */
static void leave_all(void)
{
   while (cg2_now.n_interrupted)
      end_handler();
   pop_to(0);
}

void cg2_thread_end(UInt tid)
{
   Thread* t = thread_of(tid);
   if (!t || !t->regs.exit) return;
   flush(t);
   Bool is_running = tid == threads.running;
   if (is_running) leave_all();
   add_sums(&threads.ended[tid], t);
   Registers before = t->regs;
   free_thread(t);
   if (!is_running) return;
   hand_over(t, &before);
   init(t); /* code may be translated before the next thread runs */
   threads.running = 0;
}

void cg2_thread_resume(void)
{
   Thread* t = &cg2_now;
   if (!t->n_interrupted) return;
   settle_running(t);
   const Interrupted* i = end_handler();
   t->current = i->current;
   t->stopped_at = i->address;
   t->regs.exit = i->exit;
   t->regs.sp = i->exit_sp;
   t->stub_sp = i->stub_sp;
   cg2_account_restore_skipped(&t->account, &i->skipped);
   cg2_thread_refresh();
}

static Bool has_own_stack(const Interrupted* i)
{
   return i->alt_start != i->alt_end;
}

static Bool is_off_stack(const Interrupted* i, Addr sp)
{
   return sp < i->alt_start || sp > i->alt_end;
}

/* Whether handler number n, counted from 0, is no longer running when the stack
 * pointer is `sp`: that is beyond where it interrupted, or off the stack that
 * it runs on, which is its own or that of a handler which it interrupted there,
 * not on its way out by siglongjmp. */
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

/* How many handlers go on. */
static UInt count_handlers(const Thread* t, ExitKind kind, Addr sp)
{
   UInt n = t->n_interrupted;
   if (kind == EXIT_JUMP || kind == EXIT_RETURN)
      while (n > 0 && has_left_handler(t, n - 1, sp))
         n--;
   return n;
}

/* The arc of the outermost frame that was left, or NULL. */
static Arc* leave_to(UInt depth)
{
   const Stack* stack = &cg2_now.stack;
   Arc* outermost = depth < cg2_stack_depth(stack)
                       ? cg2_stack_frame(stack, depth + 1)->arc
                       : NULL;
   pop_to(depth);
   return outermost;
}

Arc* cg2_thread_pop(void)
{
   return leave_to(cg2_stack_depth(&cg2_now.stack) - 1);
}

/* A call on another stack than the caller's leaves nothing. */
static Bool is_beyond(const Stack* stack, Addr sp)
{
   return !cg2_now.n_interrupted && stack->start && sp > stack->start;
}

Arc* cg2_thread_leave(ExitKind kind, Addr sp, Bool* left_resolver)
{
   Thread* t = &cg2_now;
   Arc* handler = NULL;
   *left_resolver = cg2_calls_left_resolver(t->stack.top, kind, sp);
   if (*left_resolver) {
      Arc* resolver = leave_to(cg2_stack_depth(&t->stack) - 1);
      return resolver;
   }
   UInt n = count_handlers(t, kind, sp);
   while (t->n_interrupted > n) {
      UInt base = t->stack.base;
      handler = leave_to(base);
      settle_interrupted(t, &t->interrupted[t->n_interrupted - 1], base);
      end_handler();
   }
   UInt depth = cg2_stack_depth(&t->stack);
   if (kind == EXIT_CALL && is_beyond(&t->stack, sp)) return handler;
   UInt gone = cg2_calls_count_left(&t->stack, t->stack.base, depth, kind, sp);
   Arc* outermost = leave_to(depth - gone);
   return outermost ? outermost : handler;
}

static Bool count_as_one(const Function* a, const Function* b)
{
   return a == b || (a->rules->group && a->rules->group == b->rules->group);
}

/* The last `n` functions among frames base + 1 to depth that led to `callee`.
 * Source: Callgrind names a function that calls itself once. */
static const Callers*
callers_of(const Stack* stack, UInt depth, const Function* callee, UInt n)
{
   for (; n > 0 && depth > stack->base; depth--) {
      const Function* caller =
         cg2_stack_frame(stack, depth)->arc->callee->function;
      if (!caller->rules->is_skipped && !count_as_one(caller, callee))
         return cg2_context_callers(
            caller, callers_of(stack, depth - 1, caller, n - 1));
   }
   return NULL;
}

const Separation* cg2_thread_separation(const Function* callee,
                                        const Exit* exit)
{
   const Stack* stack = &cg2_now.stack;
   Context* caller = cg2_thread_context();
   Separation s = {.is_off = cg2_now.collection.is_off};
   if (cg2_thread_config.are_threads_apart) s.thread = threads.running;
   if (callee->rules->n_callers)
      s.callers = callers_of(stack, cg2_stack_depth(stack), callee,
                             callee->rules->n_callers);
   if (callee->rules->is_skipped && caller) {
      const Separation* of_caller = caller->separation;
      s.payer = of_caller->payer ? of_caller->payer : caller;
      s.payer_exit = of_caller->payer ? of_caller->payer_exit : exit;
   }
   return cg2_context_separation(s);
}

/* The caller's context knows its own callers, as many as it keeps apart. */
Bool cg2_thread_separation_is_fixed(const Function* callee)
{
   const Function* caller = cg2_thread_context()->function;
   UInt known = caller->rules->n_callers;
   if (!caller->rules->is_skipped && !count_as_one(caller, callee)) known++;
   return callee->rules->n_callers <= known;
}

const Context* cg2_thread_expect(void)
{
   const Stack* stack = &cg2_now.stack;
   const Exit* exit = cg2_thread_last_exit();
   if (cg2_thread_has_arrived()) return cg2_thread_context();
   if (exit->kind == EXIT_CALL || cg2_now.current == &cg2_in_stub) return NULL;
   UInt depth = cg2_stack_depth(stack);
   depth -= cg2_calls_count_left(stack, stack->base, depth, exit->kind,
                                 cg2_now.regs.sp);
   return context_at(stack, depth, stack->base);
}

void cg2_thread_flush(void)
{
   for (UInt i = 0; i < cg2_fibers_count(); i++)
      flush_fiber(cg2_fibers_get(i));
   for (UInt tid = 0; tid < threads.n; tid++)
      if (tid != threads.running && threads.parked[tid].regs.exit)
         flush(&threads.parked[tid]);
   if (threads.running) flush(&cg2_now);
}

ThreadSums cg2_thread_sums(UInt tid)
{
   ThreadSums sums = {{{0}}, 0};
   for (UInt t = 0; t < threads.n; t++) {
      if (tid && t != tid) continue;
      cg2_cost_add(sums.total.of, threads.ended[t].total.of);
      sums.n_skips += threads.ended[t].n_skips;
      const Thread* thread = cg2_thread_get(t);
      if (thread) add_sums(&sums, thread);
   }
   return sums;
}

void cg2_thread_charge(const Context* context, UInt event, ULong n)
{
   const Separation* s = context->separation;
   if (!s->is_off) threads.ended[s->thread].total.of[event] += n;
}

/*--- Collection ---------------------------------------------------------*/

static const Cells* twin_of_cells(const Cells* cells, Bool is_off)
{
   if (cells == &cg2_left || cells == &cg2_in_stub) return cells;
   return cg2_context_cells(cg2_context_twin(cells->context, is_off),
                            cells->home);
}

/* Where a frame starts that was counted as a call before collection went off.
 * No total gets there. */
static const ULong COUNTED = ~0ULL;

static void switch_frame(Frame* frame, Bool is_off, const ULong* total)
{
   frame->arc = cg2_graph_twin(frame->arc, is_off);
   if (is_off)
      frame->start[EVENT_IR] = COUNTED;
   else {
      if (frame->start[EVENT_IR] != COUNTED) frame->arc->count++;
      cg2_cost_copy(frame->start, total);
   }
}

/* Open calls are of the other twins from now on. */
static void switch_frames(Thread* t, Bool is_off)
{
   UInt last = cg2_stack_depth(&t->stack);
   UInt base = t->stack.base;
   const ULong* total = t->account.total.of;
   for (UInt n = t->n_interrupted;; n--) {
      for (UInt i = base + 1; i <= last; i++)
         switch_frame(cg2_stack_frame(&t->stack, i), is_off, total);
      if (n == 0) return;
      Interrupted* interrupted = &t->interrupted[n - 1];
      interrupted->current = twin_of_cells(interrupted->current, is_off);
      last = base;
      base = interrupted->base;
      total = interrupted->total.of;
   }
}

void cg2_thread_collect(Bool is_on)
{
   Thread* t = &cg2_now;
   Collection* c = &t->collection;
   if (c->is_off == !is_on) return;
   flush(t); /* stubs on the way count as what it was until now */
   Cost now = cg2_account_expense(&t->account);
   if (is_on)
      cg2_cost_add_difference(c->excluded.of, now.of, c->since.of);
   else
      c->since = now;
   c->is_off = !is_on;
   switch_frames(t, c->is_off);
   t->current = twin_of_cells(t->current, c->is_off);
   cg2_thread_refresh();
}

/*--- Fibers -------------------------------------------------------------*/

/* A root does not return, unless it is a handler's or a coroutine's. */
Addr cg2_thread_begin_stack(void)
{
   Thread* t = &cg2_now;
   if (t->n_interrupted) return cg2_thread_sp();
   if (t->fiber != t->first) return t->regs.sp;
   if (!t->stack.start) t->stack.start = cg2_thread_sp();
   return ~(Addr)0;
}

static Fiber* stop_fiber(Thread* t)
{
   if (!t->fiber) {
      t->fiber = t->first = cg2_fibers_add(t->stack.start);
      t->first->is_own = True;
   }
   Fiber* f = t->fiber;
   cg2_stack_deactivate(&t->stack);
   f->stack = t->stack;
   cg2_cost_copy(f->total, t->account.total.of);
   f->thread = threads.running;
   f->is_off = t->collection.is_off;
   f->is_running = False;
   return f;
}

/* What other stacks cost meanwhile is put aside, as a handler's is. */
static void run_fiber(Thread* t, Fiber* f)
{
   if (t->collection.is_off) flush_fiber(f);
   t->stack = f->stack;
   cg2_stack_init(&f->stack);
   cg2_stack_activate(&t->stack);
   cg2_account_put_aside(&t->account, f->total);
   t->fiber = f;
   f->is_running = True;
   if (f->is_off != t->collection.is_off)
      switch_frames(t, t->collection.is_off);
}

/* What had its stack there is gone. */
static Fiber* new_fiber(Addr sp)
{
   Fiber* before;
   while ((before = cg2_fibers_over(sp)))
      drop_fiber(before);
   Fiber* f = cg2_fibers_add(sp);
   f->stack.start = sp;
   return f;
}

/* Those that are gone now that one has stopped: itself, if nothing goes on
 * there, and what lies where it has frames. */
static void drop_gone(Fiber* stopped)
{
   Fiber* gone;
   while ((gone = cg2_fibers_overwritten(&stopped->stack)))
      drop_fiber(gone);
   if (cg2_fibers_has_ended(stopped)) drop_fiber(stopped);
}

/* A stopped fiber that the running thread may go on with. */
static Fiber* find_fiber(ExitKind kind, Addr sp, const Block* block)
{
   if (!cg2_fibers_count()) return NULL;
   Fiber* f = cg2_fibers_find(kind, sp, block, cg2_now.first);
   Bool is_own = f && f->thread == threads.running;
   return is_own || !cg2_thread_config.are_threads_apart ? f : NULL;
}

void cg2_thread_change_stack(const Exit* exit, Addr sp, const Block* block)
{
   Thread* t = &cg2_now;
   ExitKind kind = exit->kind;
   if ((kind != EXIT_JUMP && kind != EXIT_RETURN) || exit->is_fixed) return;
   if (t->n_interrupted || cg2_fibers_stays(&t->stack, kind, sp, block)) return;
   Fiber* f = find_fiber(kind, sp, block);
   if (!f && !cg2_fibers_is_elsewhere(&t->stack, sp, block)) return;
   if (!f) f = new_fiber(sp);
   Fiber* stopped = stop_fiber(t);
   run_fiber(t, f);
   drop_gone(stopped);
}

/*--- Unknown stacks -----------------------------------------------------*/

static void keep_frames(Thread* t)
{
   cg2_stack_free(&t->forgotten);
   if (t->collection.is_off) return; /* these are no arcs of a profile */
   t->forgotten = t->stack;
   cg2_stack_init(&t->stack);
}

static void forget_stack(Thread* t)
{
   flush(t);
   t->fiber = t->first = NULL;
   if (t == &cg2_now) cg2_stack_deactivate(&t->stack);
   if (!t->is_unknown) keep_frames(t);
   cg2_stack_clear(&t->stack);
   t->n_interrupted = 0;
   t->toggles.n_inside = 0;
   t->current = &cg2_left;
   t->regs.exit = &no_exit;
   t->is_unknown = True;
}

Arc* cg2_thread_forgotten(const Function* callee, Addr sp)
{
   const Stack* stack = &cg2_now.forgotten;
   if (cg2_now.collection.is_off) return NULL;
   for (UInt i = 1; i <= cg2_stack_depth(stack); i++) {
      const Frame* frame = cg2_stack_frame(stack, i);
      if (frame->sp == sp && frame->arc->callee->function == callee &&
          cg2_arc_caller(frame->arc) == cg2_thread_context())
         return frame->arc;
   }
   return NULL;
}

void cg2_thread_forget_stacks(void)
{
   while (cg2_fibers_count())
      drop_fiber(cg2_fibers_get(0));
   for (UInt tid = 1; tid < threads.n; tid++) {
      Thread* t = thread_of(tid);
      if (t->regs.exit) forget_stack(t);
   }
   cg2_thread_refresh();
}

/*--- From zero ----------------------------------------------------------*/

static void count_open_calls(const Stack* stack, Bool is_off)
{
   for (UInt i = cg2_stack_depth(stack); i > 0; i--) {
      Frame* frame = cg2_stack_frame(stack, i);
      cg2_cost_clear(frame->start);
      if (!is_off) frame->arc->count++;
   }
}

static void zero_fibers(UInt tid)
{
   for (UInt i = 0; i < cg2_fibers_count(); i++) {
      Fiber* f = cg2_fibers_get(i);
      if (f->is_running || (tid && f->thread != tid)) continue;
      cg2_cost_clear(f->total);
      count_open_calls(&f->stack, f->is_off);
   }
}

static void zero_thread(Thread* t)
{
   cg2_account_zero(&t->account);
   VG_(memset)(&t->collection.since, 0, sizeof t->collection.since);
   VG_(memset)(&t->collection.excluded, 0, sizeof t->collection.excluded);
   for (UInt i = 0; i < t->n_interrupted; i++) {
      VG_(memset)(&t->interrupted[i].total, 0, sizeof(Cost));
      VG_(memset)(&t->interrupted[i].skipped, 0, sizeof(Cost));
   }
   cg2_stack_clear(&t->forgotten);
   count_open_calls(&t->stack, t->collection.is_off);
}

void cg2_thread_zero(UInt tid)
{
   cg2_graph_zero(tid);
   zero_fibers(tid);
   for (UInt t = 0; t < threads.n; t++) {
      if (tid && t != tid) continue;
      VG_(memset)(&threads.ended[t], 0, sizeof threads.ended[t]);
      Thread* thread = thread_of(t);
      if (thread->regs.exit) zero_thread(thread);
   }
}

void cg2_thread_forked(UInt tid)
{
   cg2_thread_switch(tid);
   cg2_now.syscall.block = NULL; /* the parent made it */
   for (UInt other = 0; other < threads.n; other++)
      if (other != tid && threads.parked[other].regs.exit)
         free_thread(&threads.parked[other]);
   cg2_thread_zero(0);
}
