#include "explain/summands.h"

#include <stdlib.h>
#include <string.h>

typedef struct AddingUp {
   Arena* arena;
   Failure* failure;
   Summands made;
} AddingUp;

static void* zeroes(AddingUp* a, size_t n, size_t size)
{
   void* found = cg2p_arena_add(a->arena, a->failure, n * size);
   return memset(found, 0, n * size);
}

static void add_number(AddingUp* a, uint64_t* sum, uint64_t more)
{
   if (__builtin_add_overflow(*sum, more, sum))
      cg2p_failure_at(a->failure, 0,
                      "costs or calls add up to more than 64 bits; expected "
                      "a sum of less than 18446744073709551616");
}

/*--- What begins --------------------------------------------------------*/

/* The arcs of a graph whose calls were counted. */
static uint32_t counted_arcs(AddingUp* a, const cg2p_graph* graph, cg2p_arc* to)
{
   uint32_t n = 0;
   for (uint32_t i = 0; i < graph->n_arcs; i++) {
      if (graph->arcs[i].count)
         to[n++] = graph->arcs[i];
      else
         a->made.n_uncounted++;
   }
   return n;
}

static uint64_t inclusive(const cg2p_graph* graph, uint32_t node)
{
   return graph->n_events ? graph->inclusive[(size_t)node * graph->n_events]
                          : 0;
}

/* Counts one call of each circle, or function, that no other calls. */
static void add_begun(AddingUp* a,
                      const cg2p_graph* graph,
                      const uint32_t* as,
                      const cg2p_arc* arcs,
                      uint32_t n_arcs)
{
   uint32_t n = graph->n_nodes;
   uint32_t* circle =
      cg2p_components_find(a->arena, a->failure, n, arcs, n_arcs);
   uint8_t* is_called = zeroes(a, n, sizeof *is_called);
   uint32_t* dearest = zeroes(a, n, sizeof *dearest); /* node + 1 */
   for (uint32_t i = 0; i < n_arcs; i++)
      if (circle[arcs[i].caller] != circle[arcs[i].callee])
         is_called[circle[arcs[i].callee]] = 1;
   for (uint32_t i = 0; i < n; i++) {
      uint32_t* best = &dearest[circle[i]];
      if (!*best || inclusive(graph, i) > inclusive(graph, *best - 1))
         *best = i + 1;
   }
   for (uint32_t i = 0; i < n; i++)
      if (dearest[i] && !is_called[i])
         add_number(a, &a->made.begun[as[dearest[i] - 1]], 1);
}

/*--- Arcs ---------------------------------------------------------------*/

static int compare_arcs(const void* a, const void* b)
{
   const cg2p_arc *x = a, *y = b;
   int order = (x->caller > y->caller) - (x->caller < y->caller);
   return order ? order : (x->callee > y->callee) - (x->callee < y->callee);
}

/* Makes one arc of those that are the same. */
static void join_arcs(AddingUp* a)
{
   Summands* made = &a->made;
   uint32_t n = 0;
   if (made->n_arcs)
      qsort(made->arcs, made->n_arcs, sizeof *made->arcs, compare_arcs);
   for (uint32_t i = 0; i < made->n_arcs; i++) {
      if (n && !compare_arcs(&made->arcs[n - 1], &made->arcs[i]))
         add_number(a, &made->arcs[n - 1].count, made->arcs[i].count);
      else
         made->arcs[n++] = made->arcs[i];
   }
   made->n_arcs = n;
}

/*--- The operation ------------------------------------------------------*/

static void add_graph(AddingUp* a, const cg2p_graph* graph, const uint32_t* as)
{
   Summands* made = &a->made;
   uint32_t width = made->n_events;
   cg2p_arc* arcs = zeroes(a, graph->n_arcs, sizeof *arcs);
   uint32_t n_arcs = counted_arcs(a, graph, arcs);
   add_begun(a, graph, as, arcs, n_arcs);
   for (uint32_t i = 0; i < graph->n_nodes; i++)
      for (uint32_t event = 0; event < width; event++)
         add_number(a, &made->self[(size_t)as[i] * width + event],
                    graph->self[(size_t)i * width + event]);
   for (uint32_t i = 0; i < n_arcs; i++)
      made->arcs[made->n_arcs++] =
         (cg2p_arc){as[arcs[i].caller], as[arcs[i].callee], arcs[i].count};
}

Summands cg2p_summands_add_up(Arena* arena,
                              Failure* failure,
                              const cg2p_explained* side,
                              uint32_t n,
                              uint32_t n_events)
{
   AddingUp a = {arena, failure, {.n = n, .n_events = n_events}};
   size_t n_arcs = 0;
   for (size_t i = 0; i < side->n_graphs; i++)
      n_arcs += side->graphs[i]->n_arcs;
   a.made.begun = zeroes(&a, n, sizeof *a.made.begun);
   a.made.calls = zeroes(&a, n, sizeof *a.made.calls);
   a.made.self = zeroes(&a, (size_t)n * n_events, sizeof *a.made.self);
   a.made.arcs = zeroes(&a, n_arcs, sizeof *a.made.arcs);
   for (size_t i = 0; i < side->n_graphs; i++)
      add_graph(&a, side->graphs[i], side->functions[i]);
   join_arcs(&a);
   for (uint32_t i = 0; i < n; i++)
      a.made.calls[i] = a.made.begun[i];
   for (uint32_t i = 0; i < a.made.n_arcs; i++)
      add_number(&a, &a.made.calls[a.made.arcs[i].callee],
                 a.made.arcs[i].count);
   return a.made;
}
