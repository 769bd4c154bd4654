#include "thread.h"

static Exit start_exit = {.kind = EXIT_START};
Exit cg2_thread_no_exit = {.kind = EXIT_NONE};

/* The first block is translated before the first thread runs. */
Thread cg2_now = {.exit = &start_exit};

/* The threads that do not run, by id, and who does. Reason for a mutable
 * file-scope object: the process has one set of threads. */
static struct {
   Thread* parked;
   UInt n;
   UInt running; /* 0 before the first */
   ThreadSums ended;
} threads;

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

/* Cost arrays may have moved or have to grow since this thread last ran. */
static void refresh_cells(Thread* t)
{
   if (t->home_number && t->context)
      t->cells = cg2_context_cells(t->context, t->home)->counts;
}

void cg2_thread_refresh(void)
{
   refresh_cells(&cg2_now);
}

void cg2_thread_switch(UInt tid)
{
   if (tid == threads.running) return;
   if (tid >= threads.n) grow_parked(tid);
   if (threads.running) threads.parked[threads.running] = cg2_now;
   cg2_now = threads.parked[tid];
   if (!cg2_now.exit) cg2_now.exit = &start_exit;
   threads.running = tid;
   refresh_cells(&cg2_now);
}

/* Costs in stubs on the way of a call that has not arrived yet. */
static void settle_skipped(Thread* t)
{
   if (!t->skipped_blocks) return;
   if (t->context && t->exit->block)
      cg2_cost_add(&cg2_graph_arc(t->exit, t->context, NULL, NULL)->skipped,
                   &t->skipped);
   t->stub_blocks += t->skipped_blocks;
   t->skipped_blocks = 0;
   VG_(memset)(&t->skipped, 0, sizeof t->skipped);
}

static void flush(Thread* t)
{
   settle_skipped(t);
   for (UInt i = 0; i < t->stack.depth; i++) {
      Frame* frame = &t->stack.frames[i];
      if (frame->arc)
         cg2_cost_add_difference(&frame->arc->inclusive, &t->total,
                                 &frame->start);
      frame->start = t->total;
   }
}

static void add_sums(ThreadSums* sums, const Thread* t)
{
   cg2_cost_add(&sums->total, &t->total);
   sums->stub_blocks += t->stub_blocks;
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
   free_thread(t);
   if (tid == threads.running) threads.running = 0;
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
   i->home = t->home_number ? t->home : NULL;
   i->exit = t->home_number ? &cg2_thread_no_exit : t->exit;
   i->skipped = t->skipped;
   i->skipped_blocks = t->skipped_blocks;
   i->base = t->stack.base;
   i->sp = sp;
   i->alt_start = alt_start;
   i->alt_end = alt_end;
   VG_(memset)(&t->skipped, 0, sizeof t->skipped);
   t->skipped_blocks = 0;
   t->home_number = 0;
   t->exit = &start_exit;
   t->context = NULL;
   t->stack.base = t->stack.depth;
}

static void pop_to(UInt depth)
{
   while (cg2_now.stack.depth > depth)
      cg2_stack_pop(&cg2_now.stack, &cg2_now.total);
}

static void set_context(void)
{
   const Frame* top = cg2_stack_top(&cg2_now.stack);
   cg2_now.context = top ? top->context : NULL;
}

void cg2_thread_resume(void)
{
   Thread* t = &cg2_now;
   if (!t->n_interrupted) return;
   settle_skipped(t);
   pop_to(t->stack.base);
   const Interrupted* i = &t->interrupted[--t->n_interrupted];
   t->stack.base = i->base;
   set_context();
   t->home = i->home;
   t->home_number = i->home ? i->home->number : 0;
   t->exit = i->exit;
   t->skipped = i->skipped;
   t->skipped_blocks = i->skipped_blocks;
   refresh_cells(t);
}

static Bool has_left_handler(const Interrupted* i, Addr sp)
{
   if (i->alt_start != i->alt_end) return sp < i->alt_start || sp > i->alt_end;
   return sp >= i->sp;
}

Arc* cg2_thread_leave(ExitKind kind, Addr sp, Bool* left)
{
   Thread* t = &cg2_now;
   UInt depth = t->stack.depth;
   while (t->n_interrupted && (kind == EXIT_JUMP || kind == EXIT_RETURN) &&
          has_left_handler(&t->interrupted[t->n_interrupted - 1], sp)) {
      pop_to(t->stack.base);
      t->stack.base = t->interrupted[--t->n_interrupted].base;
   }
   UInt gone = cg2_calls_count_left(t->stack.frames, t->stack.base,
                                    t->stack.depth, kind, sp);
   Arc* outermost = NULL;
   if (gone) {
      outermost = t->stack.frames[t->stack.depth - gone].arc;
      pop_to(t->stack.depth - gone);
   }
   set_context();
   *left = t->stack.depth != depth;
   return outermost;
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
   for (UInt i = 0; i < t->stack.depth; i++) {
      Frame* frame = &t->stack.frames[i];
      VG_(memset)(&frame->start, 0, sizeof frame->start);
      if (frame->arc) frame->arc->count++;
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
   VG_(memset)(&cg2_now.skipped, 0, sizeof cg2_now.skipped);
   cg2_now.skipped_blocks = cg2_now.stub_blocks = 0;
   cg2_graph_zero();
   count_open_calls(&cg2_now);
}
