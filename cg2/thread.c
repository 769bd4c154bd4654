#include "thread.h"

static Exit start_exit = {.kind = EXIT_START};
static Exit no_exit = {.kind = EXIT_NONE};

/* The first block is translated before the first thread runs. */
Thread cg2_now = {.exit = &start_exit};

static void init(Thread* t)
{
   VG_(memset)(t, 0, sizeof *t);
   t->exit = &start_exit;
   cg2_stack_init(&t->stack);
}

/* The threads that do not run, by id, and who does. Reason for a mutable
 * file-scope object: the process has one set of threads. */
static struct {
   Thread* parked;
   UInt n;
   UInt running; /* 0 before the first */
   ThreadSums ended;
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
   threads.n = n;
}

static Bool is_in_home(const Thread* t)
{
   return t->home_number != HOME_LEFT && t->home_number != HOME_IN_STUB;
}

Exit* cg2_thread_last_exit(void)
{
   /* A call or return whose target has been reached is no longer the last. */
   const Thread* t = &cg2_now;
   return is_in_home(t) && t->exit->kind != EXIT_JUMP ? &no_exit : t->exit;
}

void cg2_thread_refresh(void)
{
   Thread* t = &cg2_now;
   if (is_in_home(t))
      t->cells =
         cg2_context_cells(t->context, cg2_home_of_number(t->home_number))
            ->counts;
}

Bool cg2_thread_switch(UInt tid)
{
   if (tid == threads.running) return False;
   if (tid >= threads.n) grow_parked(tid);
   if (threads.running) {
      cg2_stack_deactivate(&cg2_now.stack);
      threads.parked[threads.running] = cg2_now;
   }
   cg2_now = threads.parked[tid];
   VG_(memset)(&threads.parked[tid], 0, sizeof cg2_now);
   if (!cg2_now.exit) init(&cg2_now);
   cg2_stack_activate(&cg2_now.stack);
   threads.running = tid;
   cg2_thread_refresh();
   return True;
}

/* `skipped` was spent in stubs on the way of a call by `exit` in `context` that
 * has not arrived. Without a context nobody called: then it is no cost of
 * anybody. */
static void
settle(Thread* t, Exit* exit, Context* context, UInt home_number, Cost* skipped)
{
   static const Cost zero;
   if (home_number != HOME_IN_STUB) return;
   if (context)
      cg2_cost_add(&cg2_graph_lost(exit, context)->skipped, skipped);
   else
      cg2_cost_add_difference(&t->total, &zero, skipped);
   *skipped = zero;
}

static void settle_running(Thread* t)
{
   settle(t, t->exit, t->context, t->home_number, &t->skipped);
}

/* For code that was interrupted in a stub and does not go on; `depth` is that
 * of its frames. */
static void settle_interrupted(Thread* t, Interrupted* i, UInt depth)
{
   Context* context =
      depth > i->base ? t->stack.frames[depth].arc->callee : NULL;
   settle(t, i->exit, context, i->home_number, &i->skipped);
}

/* The frames first..last have cost up to `total`. */
static void flush_frames(Thread* t, UInt first, UInt last, const Cost* total)
{
   for (UInt i = first; i <= last; i++) {
      Frame* frame = &t->stack.frames[i];
      cg2_cost_add_difference(&frame->arc->inclusive, total, &frame->start);
      frame->start = *total;
   }
}

static void flush(Thread* t)
{
   settle_running(t);
   UInt last = cg2_stack_depth(&t->stack);
   UInt base = t->stack.base;
   const Cost* total = &t->total;
   for (UInt n = t->n_interrupted;; n--) {
      flush_frames(t, base + 1, last, total);
      if (n == 0) return;
      settle_interrupted(t, &t->interrupted[n - 1], base);
      last = base;
      base = t->interrupted[n - 1].base;
      total = &t->interrupted[n - 1].total;
   }
}

static void add_sums(ThreadSums* sums, const Thread* t)
{
   cg2_cost_add(&sums->total, &t->total);
   cg2_cost_add(&sums->total, &t->aside);
   sums->n_skips += t->n_skips;
}

static Thread* thread_of(UInt tid)
{
   if (tid == threads.running) return &cg2_now;
   return tid < threads.n ? &threads.parked[tid] : NULL;
}

static void free_thread(Thread* t)
{
   cg2_stack_free(&t->stack);
   if (t->interrupted) VG_(free)(t->interrupted);
   VG_(memset)(t, 0, sizeof *t);
}

void cg2_thread_end(UInt tid)
{
   Thread* t = thread_of(tid);
   if (!t || !t->exit) return;
   flush(t);
   add_sums(&threads.ended, t);
   if (tid == threads.running) {
      cg2_stack_deactivate(&t->stack);
      threads.running = 0;
   }
   free_thread(t);
}

void cg2_thread_interrupt(Addr sp, Addr alt_start, Addr alt_end)
{
   Thread* t = &cg2_now;
   if (t->n_interrupted == t->max_interrupted) {
      t->max_interrupted = t->max_interrupted ? 2 * t->max_interrupted : 4;
      t->interrupted =
         VG_(realloc)("cg2.interrupted", t->interrupted,
                      t->max_interrupted * sizeof *t->interrupted);
   }
   Interrupted* i = &t->interrupted[t->n_interrupted++];
   i->home_number = t->home_number;
   i->exit = cg2_thread_last_exit();
   i->exit_sp = t->sp;
   i->stub_sp = t->stub_sp;
   i->skipped = t->skipped;
   i->base = t->stack.base;
   i->sp = sp;
   i->total = t->total;
   i->alt_start = alt_start;
   i->alt_end = alt_end;
   VG_(memset)(&t->skipped, 0, sizeof t->skipped);
   t->home_number = HOME_LEFT;
   t->exit = &start_exit;
   t->sp = 0; /* no return goes to where the handler begins */
   t->context = NULL;
   t->stack.base = cg2_stack_depth(&t->stack);
}

static void pop_to(UInt depth)
{
   while (cg2_stack_depth(&cg2_now.stack) > depth)
      cg2_stack_pop(&cg2_now.stack, &cg2_now.total);
}

static void set_context(void)
{
   const Stack* stack = &cg2_now.stack;
   Bool is_empty = cg2_stack_depth(stack) <= stack->base;
   cg2_now.context = is_empty ? NULL : stack->top->arc->callee;
}

/* The innermost handler is over: its frames are left, and its cost is put
 * aside, out of the inclusive costs of what it interrupted. */
static const Interrupted* end_handler(void)
{
   Thread* t = &cg2_now;
   pop_to(t->stack.base);
   const Interrupted* i = &t->interrupted[--t->n_interrupted];
   t->stack.base = i->base;
   cg2_cost_add_difference(&t->aside, &t->total, &i->total);
   t->total = i->total;
   return i;
}

void cg2_thread_resume(void)
{
   Thread* t = &cg2_now;
   if (!t->n_interrupted) return;
   settle_running(t);
   const Interrupted* i = end_handler();
   set_context();
   t->home_number = i->home_number;
   t->exit = i->exit;
   t->sp = i->exit_sp;
   t->stub_sp = i->stub_sp;
   t->skipped = i->skipped;
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
 * it runs on, which is its own or that of a handler which it interrupted. */
static Bool has_left_handler(const Thread* t, UInt n, Addr sp)
{
   const Interrupted* i = &t->interrupted[n];
   if (has_own_stack(i)) return is_off_stack(i, sp);
   if (sp >= i->sp) return True;
   while (n > 0)
      if (has_own_stack(&t->interrupted[--n]))
         return is_off_stack(&t->interrupted[n], sp);
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
   Arc* outermost =
      depth < cg2_stack_depth(stack) ? stack->frames[depth + 1].arc : NULL;
   pop_to(depth);
   return outermost;
}

Arc* cg2_thread_leave(ExitKind kind, Addr sp, Bool* left_resolver)
{
   Thread* t = &cg2_now;
   Arc* handler = NULL;
   *left_resolver = cg2_calls_left_resolver(t->stack.top, kind, sp);
   if (*left_resolver) {
      Arc* resolver = leave_to(cg2_stack_depth(&t->stack) - 1);
      set_context();
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
   UInt gone =
      cg2_calls_count_left(t->stack.frames, t->stack.base, depth, kind, sp);
   Arc* outermost = leave_to(depth - gone);
   set_context();
   return outermost ? outermost : handler;
}

const Context* cg2_thread_expect(void)
{
   const Stack* stack = &cg2_now.stack;
   const Exit* exit = cg2_thread_last_exit();
   if (!cg2_now.context || exit->kind == EXIT_CALL ||
       cg2_now.home_number == HOME_IN_STUB)
      return NULL;
   UInt depth = cg2_stack_depth(stack);
   depth -= cg2_calls_count_left(stack->frames, stack->base, depth, exit->kind,
                                 cg2_now.sp);
   return depth > stack->base ? stack->frames[depth].arc->callee : NULL;
}

void cg2_thread_flush(void)
{
   for (UInt tid = 0; tid < threads.n; tid++)
      if (tid != threads.running && threads.parked[tid].exit)
         flush(&threads.parked[tid]);
   if (threads.running) flush(&cg2_now);
}

ThreadSums cg2_thread_sums(void)
{
   ThreadSums sums = threads.ended;
   for (UInt tid = 0; tid < threads.n; tid++)
      if (tid != threads.running) add_sums(&sums, &threads.parked[tid]);
   if (threads.running) add_sums(&sums, &cg2_now);
   return sums;
}

static void count_open_calls(Thread* t)
{
   for (UInt i = cg2_stack_depth(&t->stack); i > 0; i--) {
      Frame* frame = &t->stack.frames[i];
      VG_(memset)(&frame->start, 0, sizeof frame->start);
      frame->arc->count++;
   }
}

void cg2_thread_forked(UInt tid)
{
   cg2_thread_switch(tid);
   for (UInt other = 0; other < threads.n; other++)
      if (other != tid && threads.parked[other].exit)
         free_thread(&threads.parked[other]);
   VG_(memset)(&threads.ended, 0, sizeof threads.ended);
   VG_(memset)(&cg2_now.total, 0, sizeof cg2_now.total);
   VG_(memset)(&cg2_now.aside, 0, sizeof cg2_now.aside);
   for (UInt i = 0; i < cg2_now.n_interrupted; i++)
      VG_(memset)(&cg2_now.interrupted[i].total, 0, sizeof(Cost));
   VG_(memset)(&cg2_now.skipped, 0, sizeof cg2_now.skipped);
   cg2_now.n_skips = 0;
   cg2_graph_zero();
   count_open_calls(&cg2_now);
}
