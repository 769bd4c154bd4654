/* Puts stacks in order: each behind its caller's, the most expensive first. */
#include "stacks/stackorder.h"
#include "profile/rows.h"

#include <stdlib.h>
#include <string.h>

/*--- Order --------------------------------------------------------------*/

static int compare_names(const cg2p_stacks* stacks, uint32_t a, uint32_t b)
{
   const StoredName* names = stacks->profile->names.of;
   return cg2p_names_compare(&names[a], &names[b]);
}

static const StoredName* name_of(const cg2p_stacks* stacks, uint32_t function)
{
   return function == stacks->small
             ? &cg2p_stacks_small_shares
             : &stacks->profile->names
                   .of[cg2p_stacks_function(stacks, function).name];
}

/* By object, file and name. */
static int compare_functions(const cg2p_stacks* stacks, uint32_t a, uint32_t b)
{
   cg2p_function one = cg2p_stacks_function(stacks, a),
                 other = cg2p_stacks_function(stacks, b);
   int order = compare_names(stacks, one.object, other.object);
   if (!order) order = compare_names(stacks, one.file, other.file);
   return order ? order
                : cg2p_names_compare(name_of(stacks, a), name_of(stacks, b));
}

/* The more expensive stack comes first; of those that cost the same of one
 * function, the one that was added last. */
static int compare_stacks(const void* a, const void* b, void* maker)
{
   const Maker* m = maker;
   const cg2p_stacks* made = m->made;
   uint32_t one = *(const uint32_t*)a, other = *(const uint32_t*)b;
   size_t width = m->part->n_events;
   const uint64_t *left = made->inclusive + one * width,
                  *right = made->inclusive + other * width;
   for (uint32_t i = 0; i < width; i++)
      if (left[i] != right[i]) return left[i] > right[i] ? -1 : 1;
   int order =
      compare_functions(made, made->of[one].function, made->of[other].function);
   return order ? order : cg2p_rows_compare_numbers(other, one);
}

/* The callees of each stack, in order; those of number n are the roots. */
static Groups find_callees(Maker* m)
{
   const cg2p_stacks* made = m->made;
   uint32_t n = made->n;
   uint32_t* callers =
      cg2p_arena_add(&m->scratch, &m->failure, n * sizeof *callers);
   for (uint32_t i = 0; i < n; i++) {
      uint32_t caller = made->of[i].caller;
      callers[i] = caller == CG2P_NONE ? n : caller;
   }
   Groups callees =
      cg2p_components_group(&m->scratch, &m->failure, callers, n, n + 1);
   for (uint32_t i = 0; i <= n; i++) {
      uint32_t first = callees.first[i], count = callees.first[i + 1] - first;
      if (count > 1)
         qsort_r(callees.items + first, count, sizeof *callees.items,
                 compare_stacks, m);
   }
   return callees;
}

/* Writes the stacks in order to `order`. */
static void walk(Maker* m, const Groups* callees, uint32_t* order)
{
   uint32_t n = m->made->n, n_pending = 0, n_done = 0, stack = n;
   uint32_t* pending =
      cg2p_arena_add(&m->scratch, &m->failure, n * sizeof *pending);
   for (;;) {
      for (uint32_t i = callees->first[stack + 1]; i-- > callees->first[stack];)
         pending[n_pending++] = callees->items[i];
      if (!n_pending) return;
      order[n_done++] = stack = pending[--n_pending];
   }
}

/*--- Numbers ------------------------------------------------------------*/

/* Puts `n` items of `size` bytes in the order in which `order` has their
 * numbers. The array with them in place of `items`, which are freed. */
static void* put_in_order(Failure* failure,
                          void* items,
                          size_t size,
                          const uint32_t* order,
                          uint32_t n)
{
   char* ordered = cg2p_memory_allocate(failure, n * size);
   for (uint32_t i = 0; i < n; i++)
      memcpy(ordered + i * size, (char*)items + order[i] * size, size);
   free(items);
   return ordered;
}

static void renumber_callers(Maker* m, const uint32_t* order)
{
   cg2p_stacks* made = m->made;
   uint32_t* numbers =
      cg2p_arena_add(&m->scratch, &m->failure, made->n * sizeof *numbers);
   for (uint32_t i = 0; i < made->n; i++)
      numbers[order[i]] = i;
   for (uint32_t i = 0; i < made->n; i++)
      if (made->of[i].caller != CG2P_NONE)
         made->of[i].caller = numbers[made->of[i].caller];
}

void cg2p_stackorder_number(Maker* m)
{
   cg2p_stacks* made = m->made;
   size_t cost = m->part->n_events * sizeof *made->inclusive;
   uint32_t n = made->n;
   Groups callees = find_callees(m);
   uint32_t* order =
      cg2p_arena_add(&m->scratch, &m->failure, n * sizeof *order);
   walk(m, &callees, order);
   made->of = put_in_order(&m->failure, made->of, sizeof *made->of, order, n);
   made->origins =
      put_in_order(&m->failure, made->origins, sizeof *made->origins, order, n);
   made->inclusive = put_in_order(&m->failure, made->inclusive, cost, order, n);
   renumber_callers(m, order);
}
