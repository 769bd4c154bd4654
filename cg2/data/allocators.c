#include "data/allocators.h"

#include "arch/callvalues.h"
#include "code/rules.h"
#include "engine/thread.h"

/* Reason for a mutable file-scope object: configuration. */
AllocatorsConfig cg2_allocators_config;

/* In place of the number of an argument: there is none, and 1 is meant. */
enum { ONE = CALLVALUES_ARGUMENTS };

/* What an allocator does with its arguments. */
typedef struct Allocator {
   const HChar* pattern; /* of its name */
   UInt size;            /* argument: bytes, or the size of an element */
   UInt count;           /* argument: elements; or ONE */
   Bool returns_error;   /* The function returns 0, or an error; else memory, or
                            NULL. */
} Allocator;

/* Source: C's standard and POSIX; C++'s standard; glibc's manual; Rust's
 * `alloc::alloc`. */
static const Allocator allocators[] = {
   {"malloc", 0, ONE, False},
   {"calloc", 1, 0, False},
   {"realloc", 1, ONE, False},
   {"reallocarray", 2, 1, False},
   {"memalign", 1, ONE, False},
   {"aligned_alloc", 1, ONE, False},
   {"posix_memalign", 2, ONE, True},
   {"valloc", 0, ONE, False},
   {"pvalloc", 0, ONE, False},
   {"operator new", 0, ONE, False},
   {"operator new[]", 0, ONE, False},
   {"_Znw*", 0, ONE, False},
   {"_Zna*", 0, ONE, False},
   {"*__rust_alloc", 0, ONE, False},
   {"*__rust_alloc_zeroed", 0, ONE, False},
   {"*__rust_realloc", 3, ONE, False},
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

/* Whether a call that has ended gave memory out. */
static Bool has_allocated(const AllocatorCall* call)
{
   if (cg2_thread_last_exit()->kind != EXIT_RETURN) return False;
   Bool is_zero = cg2_callvalues_result(cg2_now.tid) == 0;
   return is_zero == call->allocator->returns_error;
}

static SizeT size_of(const AllocatorCall* call)
{
   const Allocator* a = call->allocator;
   SizeT size = call->arguments[a->size];
   return a->count == ONE ? size : size * call->arguments[a->count];
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
   if (has_allocated(call))
      cg2_allocators_config.allocated(call->exit, size_of(call));
   call->allocator = NULL;
}

void cg2_allocators_watch(void)
{
   for (UInt i = 0; i < sizeof allocators / sizeof *allocators; i++)
      cg2_rules_add(RULE_ALLOCATOR, allocators[i].pattern, i + 1, NULL);
}
