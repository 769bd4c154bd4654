#include "engine/threads.h"

#include "engine/collection.h"
#include "engine/fibers.h"
#include "engine/handlers.h"
#include "engine/unknown.h"

/* The threads that do not run, by number. Reason for a mutable file-scope
 * object: the process has one set of threads. */
static struct {
   Thread* parked;
   /* What earlier threads with that number counted, and what was charged to
    * threads; number 0 has what was charged if threads are not kept apart. */
   ThreadSums* ended;
   UInt n;
} threads;

/* Makes room for thread `tid`. */
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

/* Thread `tid`, which may not exist, or NULL if no thread had such a number. */
static Thread* thread_of(UInt tid)
{
   if (tid == cg2_now.tid) return &cg2_now;
   return tid < threads.n ? &threads.parked[tid] : NULL;
}

/*--- Who runs -----------------------------------------------------------*/

UInt cg2_threads_last(void)
{
   return threads.n ? threads.n - 1 : 0;
}

UInt cg2_threads_running(void)
{
   return cg2_now.tid;
}

const Thread* cg2_threads_get(UInt tid)
{
   const Thread* t = thread_of(tid);
   return t && cg2_thread_exists(t) ? t : NULL;
}

Bool cg2_threads_is_running(UInt tid)
{
   return tid == cg2_now.tid;
}

Bool cg2_threads_switch(UInt tid)
{
   if (tid == cg2_now.tid) return False;
   if (tid >= threads.n) grow_parked(tid);
   if (cg2_now.tid) {
      cg2_stack_deactivate(&cg2_now.stack);
      threads.parked[cg2_now.tid] = cg2_now;
   }
   Registers before = cg2_now.regs;
   cg2_now = threads.parked[tid];
   VG_(memset)(&threads.parked[tid], 0, sizeof cg2_now);
   if (!cg2_thread_exists(&cg2_now)) cg2_thread_init(&cg2_now);
   cg2_thread_hand_over(&cg2_now, &before);
   cg2_stack_activate(&cg2_now.stack);
   cg2_now.tid = tid;
   cg2_thread_refresh();
   return True;
}

/*--- What threads counted -----------------------------------------------*/

/* Adds what was collected of `t` to `sums`. */
static void add_sums(ThreadSums* sums, const Thread* t)
{
   Cost own = cg2_collection_cost(t);
   cg2_cost_add(sums->total.of, own.of);
   sums->n_skips += t->account.n_skips;
}

void cg2_threads_flush(void)
{
   for (UInt i = 0; i < cg2_fibers_count(); i++)
      cg2_fibers_flush(cg2_fibers_get(i));
   for (UInt tid = 0; tid < threads.n; tid++)
      if (tid != cg2_now.tid && cg2_thread_exists(&threads.parked[tid]))
         cg2_collection_flush(&threads.parked[tid]);
   if (cg2_now.tid) cg2_collection_flush(&cg2_now);
}

ThreadSums cg2_threads_sums(UInt tid)
{
   ThreadSums sums = {{{0}}, 0};
   for (UInt t = 0; t < threads.n; t++) {
      if (tid && t != tid) continue;
      cg2_cost_add(sums.total.of, threads.ended[t].total.of);
      sums.n_skips += threads.ended[t].n_skips;
      const Thread* thread = cg2_threads_get(t);
      if (thread) add_sums(&sums, thread);
   }
   return sums;
}

void cg2_threads_charge(const Context* context, UInt event, ULong n)
{
   const Separation* s = context->separation;
   if (!s->is_off) threads.ended[s->thread].total.of[event] += n;
}

void cg2_threads_zero(UInt tid)
{
   cg2_graph_zero(tid);
   cg2_path_zero(tid);
   cg2_fibers_zero(tid);
   for (UInt t = 0; t < threads.n; t++) {
      if (tid && t != tid) continue;
      VG_(memset)(&threads.ended[t], 0, sizeof threads.ended[t]);
      Thread* thread = thread_of(t);
      if (cg2_thread_exists(thread)) cg2_collection_zero(thread);
   }
}

/*--- End, fork, and the unknown -----------------------------------------*/

/* Makes `f` a stack like any other: the thread that began on it has ended. */
static void disown(Fiber* f)
{
   f->is_own = False;
   for (UInt tid = 1; tid < threads.n; tid++)
      if (thread_of(tid)->first == f) thread_of(tid)->first = NULL;
}

/* Frees what the thread owns. Other threads may run the fibers that it has run,
 * its own stack among them; and the fiber that it runs may be another thread's
 * own stack. */
static void free_thread(Thread* t)
{
   Fiber* own = t->first;
   if (own) disown(own);
   if (own && !own->is_running) cg2_fibers_drop(own);
   if (t->fiber) {
      disown(t->fiber);
      cg2_fibers_drop(t->fiber);
   }
   cg2_stack_free(&t->stack);
   if (t->interrupted) VG_(free)(t->interrupted);
   cg2_stack_free(&t->forgotten);
   VG_(memset)(t, 0, sizeof *t);
}

void cg2_threads_end(UInt tid)
{
   Thread* t = thread_of(tid);
   if (!t || !cg2_thread_exists(t)) return;
   cg2_collection_flush(t);
   Bool is_running = tid == cg2_now.tid;
   if (is_running) {
      cg2_handlers_end_all();
      cg2_thread_pop_to(0);
   }
   add_sums(&threads.ended[tid], t);
   Registers before = t->regs;
   free_thread(t);
   if (!is_running) return;
   cg2_thread_hand_over(t, &before);
   cg2_thread_init(t); /* code may be translated before the next thread runs */
   cg2_now.tid = 0;
}

void cg2_threads_forked(UInt tid)
{
   cg2_threads_switch(tid);
   cg2_now.syscall.block = NULL; /* the parent made it */
   for (UInt other = 0; other < threads.n; other++)
      if (other != tid && cg2_thread_exists(&threads.parked[other]))
         free_thread(&threads.parked[other]);
   cg2_threads_zero(0);
}

void cg2_threads_forget_stacks(void)
{
   while (cg2_fibers_count())
      cg2_fibers_drop(cg2_fibers_get(0));
   for (UInt tid = 1; tid < threads.n; tid++) {
      Thread* t = thread_of(tid);
      if (cg2_thread_exists(t)) cg2_unknown_forget(t);
   }
   cg2_thread_refresh();
}
