#include "engine/threads.h"

#include "engine/collection.h"
#include "engine/fibers.h"
#include "engine/handlers.h"
#include "engine/unknown.h"

/* What the threads of a number are called. */
typedef struct Called {
   Int kernel_id; /* of the one that is alive; 0: none */
   UInt n_names;
   HChar* names; /* NULL: none; with ", " between them */
} Called;

/* A name that a thread was given before it began. */
typedef struct Early {
   Int kernel_id; /* 0: none */
   HChar* name;
} Early;

enum { EARLY_MAX = 64 };

/* The threads that do not run, by number. Reason for a mutable file-scope
 * object: the process has one set of threads. */
static struct {
   Thread* parked;
   /* What earlier threads with that number counted, and what was charged to
    * threads; number 0 has what was charged if threads are not kept apart. */
   ThreadSums* ended;
   Called* called;
   UInt n;
   Early early[EARLY_MAX]; /* the last ones, each in place of the oldest */
   UInt n_early;
} threads;

/* Makes an array that has an entry for each thread larger. */
static void* grown(void* array, UInt n, SizeT size)
{
   array = VG_(realloc)("cg2.threads", array, n * size);
   VG_(memset)((HChar*)array + threads.n * size, 0, (n - threads.n) * size);
   return array;
}

/* Makes room for thread `tid`. */
static void grow_parked(UInt tid)
{
   UInt n = threads.n ? threads.n : 4;
   while (n <= tid)
      n *= 2;
   threads.parked = grown(threads.parked, n, sizeof *threads.parked);
   threads.ended = grown(threads.ended, n, sizeof *threads.ended);
   threads.called = grown(threads.called, n, sizeof *threads.called);
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

/*--- Names ----------------------------------------------------------------*/

/* Whether `name` is one of the names. */
static Bool has_name(const HChar* names, const HChar* name)
{
   SizeT n = VG_(strlen)(name);
   for (const HChar* p = names; p && (p = VG_(strstr)(p, name)); p++) {
      Bool is_first = p == names || (p[-1] == ' ' && p[-2] == ',');
      if (is_first && (p[n] == '\0' || p[n] == ',')) return True;
   }
   return False;
}

static void append_name(Called* called, const HChar* name)
{
   SizeT n = called->names ? VG_(strlen)(called->names) : 0;
   called->names = VG_(realloc)("cg2.threads", called->names,
                                n + VG_(strlen)(name) + sizeof ", ");
   VG_(sprintf)(called->names + n, n ? ", %s" : "%s", name);
   called->n_names++;
}

/* Adds a name as a line can show it; the first few, and that there are more. */
static void add_name(Called* called, const HChar* name)
{
   enum { NAMES_MAX = 4 };
   HChar* shown = VG_(strdup)("cg2.threads", name);
   for (HChar* p = shown; *p; p++)
      if ((UChar)*p < ' ' || *p == 0x7f) *p = '?';
   if (*shown && called->n_names <= NAMES_MAX &&
       !has_name(called->names, shown))
      append_name(called, called->n_names == NAMES_MAX ? "..." : shown);
   VG_(free)(shown);
}

/* Keeps a name for a thread that has not begun. */
static void keep_early(Int kernel_id, const HChar* name)
{
   Early* early = &threads.early[threads.n_early++ % EARLY_MAX];
   if (early->name) VG_(free)(early->name);
   *early = (Early){kernel_id, VG_(strdup)("cg2.threads", name)};
}

void cg2_threads_begin(UInt tid, Int kernel_id)
{
   if (tid >= threads.n) grow_parked(tid);
   Called* called = &threads.called[tid];
   called->kernel_id = kernel_id;
   for (UInt i = 0; i < EARLY_MAX; i++)
      if (threads.early[i].kernel_id == kernel_id) {
         add_name(called, threads.early[i].name);
         threads.early[i].kernel_id = 0;
      }
}

void cg2_threads_add_name(Int kernel_id, const HChar* name)
{
   Bool is_known = False;
   for (UInt tid = 1; tid < threads.n; tid++)
      if (threads.called[tid].kernel_id == kernel_id) {
         add_name(&threads.called[tid], name);
         is_known = True;
      }
   if (!is_known) keep_early(kernel_id, name);
}

const HChar* cg2_threads_names(UInt tid)
{
   return tid < threads.n ? threads.called[tid].names : NULL;
}

static void forget_names(UInt tid)
{
   if (threads.called[tid].names) VG_(free)(threads.called[tid].names);
   VG_(memset)(&threads.called[tid], 0, sizeof threads.called[tid]);
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
   if (tid < threads.n) threads.called[tid].kernel_id = 0;
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
   for (UInt other = 0; other < threads.n; other++) {
      if (other == tid) continue;
      if (cg2_thread_exists(&threads.parked[other]))
         free_thread(&threads.parked[other]);
      forget_names(other);
   }
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
