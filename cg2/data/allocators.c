#include "data/allocators.h"

#include "arch/callvalues.h"
#include "code/rules.h"
#include "engine/thread.h"

/* Reason for a mutable file-scope object: configuration. */
AllocatorsConfig cg2_allocators_config;

/* Where an allocator has something among its arguments; NOWHERE: it has not. */
enum { NOWHERE = CALLVALUES_ARGUMENTS };

/* What an allocator does with its arguments. */
typedef struct Allocator {
   const HChar* pattern; /* of its name */
   UInt size;            /* argument: bytes, or the size of an element */
   UInt count;           /* argument: elements */
   UInt place; /* argument: where the result is stored, as posix_memalign does;
                  NOWHERE: the function returns the result */
} Allocator;

/* Source: C's standard and POSIX; C++'s standard; glibc's manual; Rust's
 * `alloc::alloc`. */
static const Allocator allocators[] = {
   {"malloc", 0, NOWHERE, NOWHERE},
   {"calloc", 1, 0, NOWHERE},
   {"realloc", 1, NOWHERE, NOWHERE},
   {"reallocarray", 2, 1, NOWHERE},
   {"memalign", 1, NOWHERE, NOWHERE},
   {"aligned_alloc", 1, NOWHERE, NOWHERE},
   {"posix_memalign", 2, NOWHERE, 0},
   {"valloc", 0, NOWHERE, NOWHERE},
   {"pvalloc", 0, NOWHERE, NOWHERE},
   {"operator new", 0, NOWHERE, NOWHERE},
   {"operator new[]", 0, NOWHERE, NOWHERE},
   {"_Znw*", 0, NOWHERE, NOWHERE},
   {"_Zna*", 0, NOWHERE, NOWHERE},
   {"*__rust_alloc", 0, NOWHERE, NOWHERE},
   {"*__rust_alloc_zeroed", 0, NOWHERE, NOWHERE},
   {"*__rust_realloc", 3, NOWHERE, NOWHERE},
};

/*--- Calls of allocators ------------------------------------------------*/

/* The outermost allocator that a thread is in. */
typedef struct AllocatorCall {
   const Allocator* allocator; /* NULL: the thread is in none */
   const Exit* exit;           /* where it was called, or NULL */
   UWord arguments[CALLVALUES_ARGUMENTS];
   UInt depth;         /* frames below its own */
   UInt n_interrupted; /* handlers of signals that run */
} AllocatorCall;

/* By thread. Reason for a mutable file-scope object: what each thread does. */
static struct {
   AllocatorCall* of;
   UInt n;
} calls;

/* The call of the running thread. */
static AllocatorCall* call_now(void)
{
   UInt tid = cg2_now.tid;
   if (tid >= calls.n) {
      UInt n = 2 * (tid + 1);
      calls.of = VG_(realloc)("cg2.allocators", calls.of, n * sizeof *calls.of);
      VG_(memset)(calls.of + calls.n, 0, (n - calls.n) * sizeof *calls.of);
      calls.n = n;
   }
   return &calls.of[tid];
}

/* Whether the running thread is in the call: its frame is still there. A thread
 * leaves one without a return by longjmp, say. */
static Bool is_in(const AllocatorCall* call)
{
   return call->allocator && call->n_interrupted == cg2_now.n_interrupted &&
          cg2_stack_depth(&cg2_now.stack) > call->depth;
}

void cg2_allocators_entering(const Function* function, const Exit* exit)
{
   AllocatorCall* call = call_now();
   if (is_in(call)) return;
   *call =
      (AllocatorCall){.allocator = &allocators[function->rules->allocator - 1],
                      .exit = exit,
                      .depth = cg2_stack_depth(&cg2_now.stack),
                      .n_interrupted = cg2_now.n_interrupted};
   for (UInt i = 0; i < CALLVALUES_ARGUMENTS; i++)
      call->arguments[i] = cg2_callvalues_argument(cg2_now.tid, i);
}

/* What a call has allocated; 0: nothing. */
static Addr result_of(const AllocatorCall* call)
{
   UWord result = cg2_callvalues_result(cg2_now.tid);
   if (call->allocator->place == NOWHERE) return result;
   return result ? 0 : *(Addr*)call->arguments[call->allocator->place];
}

static SizeT size_of(const AllocatorCall* call)
{
   const Allocator* a = call->allocator;
   SizeT size = call->arguments[a->size];
   return a->count == NOWHERE ? size : size * call->arguments[a->count];
}

/* Whether the frame that was popped is that of the call. */
static Bool has_ended(const AllocatorCall* call)
{
   return call->allocator && call->n_interrupted == cg2_now.n_interrupted &&
          cg2_stack_depth(&cg2_now.stack) == call->depth;
}

void cg2_allocators_left(const Function* function)
{
   AllocatorCall* call = call_now();
   const Allocator* own = &allocators[function->rules->allocator - 1];
   if (!has_ended(call) || call->allocator != own) return;
   Addr start = 0;
   if (cg2_thread_last_exit()->kind == EXIT_RETURN) start = result_of(call);
   SizeT size = size_of(call);
   call->allocator = NULL;
   if (start) cg2_allocators_config.allocated(call->exit, start, size);
}

void cg2_allocators_watch(void)
{
   for (UInt i = 0; i < sizeof allocators / sizeof *allocators; i++)
      cg2_rules_add(RULE_ALLOCATOR, allocators[i].pattern, i + 1, NULL);
}
