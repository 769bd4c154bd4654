#include "base/components.h"

#include <string.h>

/*--- Groups -------------------------------------------------------------*/

static uint32_t* numbers(Arena* arena, Failure* failure, size_t n)
{
   return cg2p_arena_add(arena, failure, n * sizeof(uint32_t));
}

Groups cg2p_components_group(Arena* arena,
                             Failure* failure,
                             const uint32_t* group_of,
                             uint32_t n,
                             uint32_t n_groups)
{
   /* While items are counted and placed, first[g + 2] and then first[g + 1] is
    * for group g. */
   Groups groups = {.first = numbers(arena, failure, (size_t)n_groups + 2),
                    .items = numbers(arena, failure, n)};
   memset(groups.first, 0, ((size_t)n_groups + 2) * sizeof *groups.first);
   for (uint32_t i = 0; i < n; i++)
      groups.first[group_of[i] + 2]++;
   for (size_t g = 2; g < (size_t)n_groups + 2; g++)
      groups.first[g] += groups.first[g - 1];
   for (uint32_t i = 0; i < n; i++)
      groups.items[groups.first[group_of[i] + 1]++] = i;
   return groups;
}

/*--- Components ---------------------------------------------------------*/

enum { NOWHERE = 0 };

/* Tarjan's algorithm. The path from the root to the function that is looked at
 * lies in an array, as call chains are longer than the stack of a thread. */
typedef struct ComponentSearch {
   const cg2p_arc* arcs;
   Groups calls;        /* arcs by caller */
   uint32_t* order;     /* in which functions are reached, from 1; NOWHERE */
   uint32_t* lowest;    /* order that each can reach in its component */
   uint32_t* component; /* + 1; NOWHERE: not known yet */
   uint32_t* next;      /* place in calls.items of each function's next call */
   uint32_t* path;      /* from the root */
   uint32_t* pending;   /* reached functions whose component is not known */
   uint32_t n_reached, n_components, depth, n_pending;
} ComponentSearch;

static void enter(ComponentSearch* s, uint32_t function)
{
   s->order[function] = s->lowest[function] = ++s->n_reached;
   s->next[function] = s->calls.first[function];
   s->path[s->depth++] = function;
   s->pending[s->n_pending++] = function;
}

static void lower(uint32_t* number, uint32_t limit)
{
   if (limit < *number) *number = limit;
}

/* Leaves the end of the path; if nobody above is reached from there, all that
 * is pending since is its component. */
static void leave(ComponentSearch* s)
{
   uint32_t function = s->path[--s->depth], member;
   if (s->depth) lower(&s->lowest[s->path[s->depth - 1]], s->lowest[function]);
   if (s->lowest[function] < s->order[function]) return;
   s->n_components++;
   do {
      member = s->pending[--s->n_pending];
      s->component[member] = s->n_components;
   } while (member != function);
}

/* Takes the next call of the function at the end of the path. */
static void step(ComponentSearch* s)
{
   uint32_t function = s->path[s->depth - 1];
   if (s->next[function] == s->calls.first[function + 1]) {
      leave(s);
      return;
   }
   uint32_t callee = s->arcs[s->calls.items[s->next[function]++]].callee;
   if (s->order[callee] == NOWHERE)
      enter(s, callee);
   else if (s->component[callee] == NOWHERE)
      lower(&s->lowest[function], s->order[callee]);
}

static Groups arcs_by_caller(Arena* arena,
                             Failure* failure,
                             uint32_t n,
                             const cg2p_arc* arcs,
                             uint32_t n_arcs)
{
   uint32_t* callers = numbers(arena, failure, n_arcs);
   for (uint32_t i = 0; i < n_arcs; i++)
      callers[i] = arcs[i].caller;
   return cg2p_components_group(arena, failure, callers, n_arcs, n);
}

uint32_t* cg2p_components_find(Arena* arena,
                               Failure* failure,
                               uint32_t n,
                               const cg2p_arc* arcs,
                               uint32_t n_arcs)
{
   ComponentSearch s = {
      .arcs = arcs, .calls = arcs_by_caller(arena, failure, n, arcs, n_arcs)};
   uint32_t** of_functions[] = {&s.order, &s.lowest, &s.component,
                                &s.next,  &s.path,   &s.pending};
   for (size_t i = 0; i < sizeof of_functions / sizeof *of_functions; i++) {
      *of_functions[i] = numbers(arena, failure, n);
      memset(*of_functions[i], 0, n * sizeof(uint32_t));
   }
   for (uint32_t root = 0; root < n; root++) {
      if (s.order[root] == NOWHERE) enter(&s, root);
      while (s.depth)
         step(&s);
   }
   for (uint32_t i = 0; i < n; i++)
      s.component[i]--;
   return s.component;
}
