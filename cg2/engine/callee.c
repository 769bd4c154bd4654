#include "engine/callee.h"

/* Whether calls between two functions count as calls of themselves. */
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

/* What a call of `callee` by `exit` is kept apart by. */
static const Separation* separation(const Function* callee, const Exit* exit)
{
   const Stack* stack = &cg2_now.stack;
   Context* caller = cg2_thread_context();
   Separation s = {.is_off = cg2_now.collection.is_off};
   if (cg2_engine_config.are_threads_apart) s.thread = cg2_now.tid;
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

Context* cg2_callee_separate_context(Function* function, const Exit* exit)
{
   return cg2_context_get(function, cg2_function_active(function),
                          separation(function, exit));
}

Context* cg2_callee_context(Function* function, const Exit* exit)
{
   Context* caller = cg2_thread_context();
   if (function->rules->skips_direct_recursion && caller &&
       caller->function == function)
      return caller;
   return cg2_callee_separate_context(function, exit);
}

/* The caller's context knows its own callers, as many as it keeps apart. */
Bool cg2_callee_is_fixed(const Function* callee)
{
   const Function* caller = cg2_thread_context()->function;
   UInt known = caller->rules->n_callers;
   if (!caller->rules->is_skipped && !count_as_one(caller, callee)) known++;
   return callee->rules->n_callers <= known;
}
