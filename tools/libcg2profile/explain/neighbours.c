#include "explain/neighbours.h"

typedef struct NeighbourMaking {
   Arena* arena;
   Failure* failure;
   uint32_t n_functions;
   const NeighbourQuestion* asked;
   Neighbours made;
} NeighbourMaking;

static void* zeroes_for_neighbours(NeighbourMaking* g, size_t n, size_t size)
{
   void* found = cg2p_arena_add(g->arena, g->failure, n * size);
   return memset(found, 0, n * size);
}

/* Gives each list the room that `n` says, and empties it. */
static void lay_out(NeighbourMaking* g)
{
   uint32_t n = g->n_functions;
   size_t sum = 0;
   g->made.first = zeroes_for_neighbours(g, n, sizeof *g->made.first);
   for (uint32_t i = 0; i < n; i++) {
      g->made.first[i] = sum;
      sum += g->made.n[i];
      g->made.n[i] = 0;
   }
   g->made.of = zeroes_for_neighbours(g, sum, sizeof *g->made.of);
}

static void put(NeighbourMaking* g, uint32_t function, Neighbour neighbour)
{
   Neighbours* made = &g->made;
   made->of[made->first[function] + made->n[function]++] = neighbour;
}

/*--- What graphs say ------------------------------------------------------*/

static bool is_asked(const NeighbourQuestion* asked, uint32_t function)
{
   return asked->sides[function] == asked->side;
}

/* Counts the arcs of each list, or with `put_them` puts them there. */
static void go_through(NeighbourMaking* g,
                       const cg2p_explained* graphs,
                       bool are_callees,
                       bool put_them)
{
   for (size_t i = 0; i < graphs->n_graphs; i++) {
      const cg2p_graph* graph = graphs->graphs[i];
      const uint32_t* as = graphs->functions[i];
      for (uint32_t k = 0; k < graph->n_arcs; k++) {
         const cg2p_arc* arc = &graph->arcs[k];
         uint32_t ends[] = {as[arc->callee], as[arc->caller]};
         uint32_t function = ends[are_callees];
         if (!is_asked(g->asked, function)) continue;
         if (put_them)
            put(g, function, (Neighbour){ends[!are_callees], arc->count});
         else
            g->made.n[function]++;
      }
   }
}

/* Makes one neighbour of those that are one function, where the first is. */
static void join_neighbours(NeighbourMaking* g)
{
   uint32_t n = g->n_functions;
   size_t* place = zeroes_for_neighbours(g, n, sizeof *place); /* + 1 */
   for (uint32_t i = 0; i < n; i++) {
      size_t first = g->made.first[i], kept = first;
      for (size_t at = first; at < first + g->made.n[i]; at++) {
         Neighbour neighbour = g->made.of[at];
         size_t* its = &place[neighbour.function];
         if (*its > first) {
            g->made.of[*its - 1].count += neighbour.count;
            continue;
         }
         g->made.of[kept++] = neighbour;
         *its = kept;
      }
      g->made.n[i] = kept - first;
   }
}

Neighbours cg2p_neighbours_of(Arena* arena,
                              Failure* failure,
                              const cg2p_explained* graphs,
                              const NeighbourQuestion* asked,
                              bool are_callees)
{
   NeighbourMaking g = {arena, failure, asked->n_functions, .asked = asked};
   g.made.n = zeroes_for_neighbours(&g, g.n_functions, sizeof *g.made.n);
   go_through(&g, graphs, are_callees, false);
   lay_out(&g);
   go_through(&g, graphs, are_callees, true);
   join_neighbours(&g);
   return g.made;
}

/*--- The other way round ------------------------------------------------*/

Neighbours cg2p_neighbours_turned(Arena* arena,
                                  Failure* failure,
                                  const Neighbours* lists,
                                  uint32_t n_functions,
                                  const uint32_t* functions,
                                  uint32_t n)
{
   NeighbourMaking g = {arena, failure, n_functions, .asked = NULL};
   g.made.n = zeroes_for_neighbours(&g, n_functions, sizeof *g.made.n);
   for (uint32_t i = 0; i < n; i++) {
      const Neighbour* of = lists->of + lists->first[functions[i]];
      for (uint32_t k = 0; k < lists->n[functions[i]]; k++)
         g.made.n[of[k].function]++;
   }
   lay_out(&g);
   for (uint32_t i = 0; i < n; i++) {
      const Neighbour* of = lists->of + lists->first[functions[i]];
      for (uint32_t k = 0; k < lists->n[functions[i]]; k++)
         put(&g, of[k].function, (Neighbour){functions[i], of[k].count});
   }
   return g.made;
}
