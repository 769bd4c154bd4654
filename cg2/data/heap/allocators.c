#include "data/heap/allocators.h"

#include "arch/callvalues.h"
#include "code/rules.h"
#include "data/heap/knownallocators.h"
#include "engine/thread.h"

/* Reason for a mutable file-scope object: configuration. */
AllocatorsConfig cg2_allocators_config = {.n_callers = 1};

/*--- Calls of allocators ------------------------------------------------*/

/* A call of an allocator that gives memory. */
typedef struct AllocatorCall {
   const Allocator* allocator; /* NULL: the thread is in none */
   const Exit* exit;           /* where it was called, or NULL */
   UWord arguments[CALLVALUES_ARGUMENTS];
   UInt depth;         /* frames below its own */
   UInt n_interrupted; /* handlers of signals that run */
   Allocation old;     /* what it takes in exchange; size 0: nothing */
} AllocatorCall;

/* The outermost calls that a thread is in: of allocators, and of pools. */
typedef struct ThreadCalls {
   AllocatorCall of[2];
} ThreadCalls;

/* By thread. Reason for a mutable file-scope object: what each thread does. */
static struct {
   ThreadCalls* of;
   UInt n;
} calls;

/* The calls of the running thread. */
static AllocatorCall* calls_now(void)
{
   UInt tid = cg2_now.tid;
   if (tid >= calls.n) {
      UInt n = 2 * (tid + 1);
      calls.of = VG_(realloc)("cg2.allocators", calls.of, n * sizeof *calls.of);
      VG_(memset)(calls.of + calls.n, 0, (n - calls.n) * sizeof *calls.of);
      calls.n = n;
   }
   return calls.of[tid].of;
}

/* Whether the running thread is in the call: its frame is still there. A thread
 * leaves one without a return by longjmp, say. */
static Bool is_in(const AllocatorCall* call)
{
   return call->allocator && call->n_interrupted == cg2_now.n_interrupted &&
          cg2_stack_depth(&cg2_now.stack) > call->depth;
}

/* The allocator or pool that a function is. */
static const Allocator* allocator_of(const Function* function)
{
   UInt i = function->rules->allocator - 1;
   return i < cg2_knownallocators_count
             ? cg2_knownallocators_get(i)
             : &cg2_allocators_config.pools.of[i - cg2_knownallocators_count];
}

static Bool has_arguments(const Allocator* a)
{
   return a->size || a->takes;
}

static void begin(AllocatorCall* call, const Allocator* a, const Exit* exit)
{
   *call = (AllocatorCall){.allocator = a,
                           .exit = exit,
                           .depth = cg2_stack_depth(&cg2_now.stack),
                           .n_interrupted = cg2_now.n_interrupted};
   for (UInt i = 0; has_arguments(a) && i < CALLVALUES_ARGUMENTS; i++)
      call->arguments[i] = cg2_callvalues_argument(cg2_now.tid, i);
   if (a->takes && cg2_allocators_config.taken)
      call->old =
         cg2_allocators_config.taken(call->arguments[a->takes - 1], a->is_pool);
}

void cg2_allocators_entering(const Function* function, const Exit* exit)
{
   const Allocator* a = allocator_of(function);
   AllocatorCall* call = &calls_now()[a->is_pool];
   if (a->gives == GIVES_NOTHING)
      cg2_allocators_config.taken(
         cg2_callvalues_argument(cg2_now.tid, a->takes - 1), a->is_pool);
   else if (!is_in(call))
      begin(call, a, exit);
}

/*--- Memory that was given ----------------------------------------------*/

/* Argument number `i` of a call, from 1. */
static UWord argument(const AllocatorCall* call, UInt i)
{
   return call->arguments[i - 1];
}

static SizeT size_of(const AllocatorCall* call)
{
   const Allocator* a = call->allocator;
   SizeT size = a->size ? argument(call, a->size) : 0;
   return a->count ? size * argument(call, a->count) : size;
}

/* The memory that a call that has ended gave out; 0: none. */
static Addr given_by(const AllocatorCall* call)
{
   UWord result = cg2_callvalues_result(cg2_now.tid);
   if (call->allocator->gives == GIVES_RESULT) return result;
   return result == 0 ? cg2_callvalues_word(call->arguments[0]) : 0;
}

/* Tells of the memory that a call has given. Without any, it leaves what it was
 * to take, unless no memory was asked for. */
static void give(const AllocatorCall* call, Addr start, SizeT size)
{
   const Allocator* a = call->allocator;
   if (!start) {
      if (call->old.size && size)
         cg2_allocators_config.left(&call->old, a->is_pool);
      return;
   }
   cg2_allocators_config.given(
      &(Given){.exit = call->exit,
               .start = start,
               .size = size,
               .is_open = !a->size,
               .is_chunk = a->is_pool,
               .is_uncounted = a->is_uncounted ||
                               (!a->is_pool && is_in(&calls_now()[True]))});
}

/* The call has returned. */
static void end(const AllocatorCall* call)
{
   const Allocator* a = call->allocator;
   Addr start = given_by(call);
   SizeT size = size_of(call);
   if (start && cg2_allocators_config.allocated && !a->is_pool &&
       !a->is_uncounted)
      cg2_allocators_config.allocated(call->exit, size);
   if (cg2_allocators_config.given) give(call, start, size);
}

/* Whether the frame that was popped is that of the call. */
static Bool has_ended(const AllocatorCall* call)
{
   return call->allocator && call->n_interrupted == cg2_now.n_interrupted &&
          cg2_stack_depth(&cg2_now.stack) == call->depth;
}

void cg2_allocators_left(const Function* function)
{
   const Allocator* own = allocator_of(function);
   AllocatorCall* call = &calls_now()[own->is_pool];
   if (!has_ended(call) || call->allocator != own) return;
   AllocatorCall ended = *call;
   call->allocator = NULL;
   if (cg2_thread_last_exit()->kind == EXIT_RETURN) end(&ended);
}

/*--- All ----------------------------------------------------------------*/

Bool cg2_allocators_inside(UInt* depth, const Exit** exit)
{
   const AllocatorCall* outermost = NULL;
   for (UInt i = 0; i < 2; i++) {
      const AllocatorCall* call = &calls_now()[i];
      if (is_in(call) && (!outermost || call->depth < outermost->depth))
         outermost = call;
   }
   if (!outermost) return False;
   *depth = outermost->depth;
   *exit = outermost->exit;
   return True;
}

void cg2_allocators_forked(UInt tid)
{
   for (UInt other = 0; other < calls.n; other++)
      if (other != tid)
         calls.of[other].of[0].allocator = calls.of[other].of[1].allocator =
            NULL;
}

/* Has functions watched that the user did not name: those that give memory,
 * and, if somebody keeps what the memory is, all others. */
static void watch_known(void)
{
   Bool is_kept = cg2_allocators_config.given != NULL;
   for (UInt i = 0; i < cg2_knownallocators_count; i++) {
      const Allocator* a = cg2_knownallocators_get(i);
      if (is_kept || (a->gives && !a->is_uncounted))
         cg2_rules_add(RULE_ALLOCATOR, a->pattern, i + 1, NULL);
   }
   const HChar* name;
   for (UInt i = 0; is_kept && (name = cg2_knownallocators_hands_on(i)); i++)
      cg2_rules_add(RULE_HANDS_ON, name, 0, NULL);
}

static void watch_pools(void)
{
   const Pools* pools = &cg2_allocators_config.pools;
   for (UInt i = 0; i < pools->n; i++)
      cg2_rules_add(RULE_ALLOCATOR, pools->of[i].pattern,
                    cg2_knownallocators_count + i + 1, pools->of[i].option);
}

void cg2_allocators_start(void)
{
   const AllocatorsConfig* config = &cg2_allocators_config;
   if (config->given) watch_pools();
   if (config->allocated || config->given) watch_known();
}
