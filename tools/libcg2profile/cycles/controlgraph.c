#include "cycles/controlgraph.h"

#include <stdlib.h>

Share cg2p_controlgraph_share(uint64_t a, uint64_t b)
{
   if (a >= b) return b ? SHARE_WHOLE : 0;
   return (Share)(((unsigned __int128)a << 32) / b);
}

/*--- Spots --------------------------------------------------------------*/

static uint32_t next_of(const CycleObject* object, size_t i)
{
   const cg2p_operation* operation = &object->operations[i];
   bool is_there =
      i + 1 < object->n && operation->step.length &&
      object->addresses[i] + operation->step.length == object->addresses[i + 1];
   return is_there ? object->first + i + 1 : CG2P_NONE;
}

static void make_spots(ControlGraph* graph, const Gathering* g)
{
   for (size_t o = 0; o < g->objects->n; o++) {
      const CycleObject* object = &g->objects->of[o];
      for (size_t i = 0; i < object->n; i++) {
         uint32_t number = object->first + i;
         graph->spots[number] = (GraphSpot){
            .operation = object->operations ? &object->operations[i] : NULL,
            .count = g->counters[(size_t)number * COUNTERS + COUNT_IR],
            .next = object->operations ? next_of(object, i) : CG2P_NONE,
            .routine = g->routines[number],
            .object = (uint32_t)o,
            .is_library = object->is_library,
         };
      }
   }
}

static uint32_t kind_of(const GraphSpot* spot)
{
   return spot->operation ? spot->operation->step.kind : CG2P_GOES_ON;
}

/*--- Ways ---------------------------------------------------------------*/

static void
add_way(ControlGraph* graph, Failure* failure, uint32_t to, uint64_t count)
{
   graph->ways = cg2p_memory_grow(failure, graph->ways, &graph->ways_room,
                                  graph->n_ways + 1, sizeof *graph->ways);
   graph->ways[graph->n_ways++] = (GraphWay){to, count};
}

/* Makes the counts of ways sums of those up to each. */
static void sum_up(ControlGraph* graph, WayRange range)
{
   for (uint32_t i = range.first + 1; i < range.end; i++)
      graph->ways[i].up_to += graph->ways[i - 1].up_to;
}

/* How often control left a spot by passages `first` to `end` - 1, which become
 * its ways if their targets are known. */
static uint64_t add_ways(ControlGraph* graph,
                         Failure* failure,
                         const Gathering* g,
                         size_t first,
                         size_t end)
{
   GraphSpot* spot =
      &graph->spots[cg2p_sums_at(&g->passages, first)[PASSAGE_FROM]];
   uint64_t left = 0;
   spot->ways.first = graph->n_ways;
   for (size_t i = first; i < end; i++) {
      const uint64_t* passage = cg2p_sums_at(&g->passages, i);
      left += passage[PASSAGE_COUNT];
      if (passage[PASSAGE_TO] != CG2P_NONE)
         add_way(graph, failure, passage[PASSAGE_TO], passage[PASSAGE_COUNT]);
   }
   spot->ways.end = graph->n_ways;
   sum_up(graph, spot->ways);
   return left;
}

/* What is more than the longest stub is what a first call did. */
static uint32_t stub_of(uint64_t instructions)
{
   enum { LONGEST = 4 };
   return instructions < LONGEST ? instructions : LONGEST;
}

/* What a spot costs is not how often it ran if it repeats itself, or if it
 * calls through a PLT, whose stub costs there. */
static void count_left(GraphSpot* spot, uint64_t left)
{
   uint32_t kind = kind_of(spot);
   if (kind == CG2P_BRANCHES) {
      Share taken = cg2p_controlgraph_share(left, spot->count);
      spot->taken = taken < SHARE_WHOLE ? taken : UINT32_MAX;
   } else if (kind >= CG2P_JUMPS && kind <= CG2P_CALLS_COMPUTED && left &&
              left < spot->count) {
      spot->stub = stub_of(spot->count / left - 1);
      spot->count = left;
   }
}

static void make_ways(ControlGraph* graph, Failure* failure, const Gathering* g)
{
   const Sums* passages = &g->passages;
   size_t end;
   for (size_t first = 0; first < passages->n; first = end) {
      uint64_t from = cg2p_sums_at(passages, first)[PASSAGE_FROM];
      end = first + 1;
      while (end < passages->n &&
             cg2p_sums_at(passages, end)[PASSAGE_FROM] == from)
         end++;
      GraphSpot* spot = &graph->spots[from];
      if (kind_of(spot) < CG2P_BRANCHES) continue; /* it repeats itself */
      count_left(spot, add_ways(graph, failure, g, first, end));
      if (spot->ways.first < spot->ways.end)
         spot->is_backward = graph->ways[spot->ways.first].to <= from;
   }
}

/*--- Direct jumps, repeated instructions --------------------------------*/

/* Where the profile does not say where a jump went, its code does. */
static void
add_targets(ControlGraph* graph, Failure* failure, const Gathering* g)
{
   for (uint32_t i = 0; i < graph->n; i++) {
      GraphSpot* spot = &graph->spots[i];
      if (kind_of(spot) != CG2P_JUMPS || spot->ways.first < spot->ways.end)
         continue;
      size_t o = g->objects->n;
      while (o && g->objects->of[o - 1].first > i)
         o--;
      uint32_t to = cg2p_gathering_spot(g->objects, g->objects->of[o - 1].name,
                                        spot->operation->step.target, i);
      if (to == CG2P_NONE) continue;
      spot->ways.first = graph->n_ways;
      add_way(graph, failure, to, spot->count);
      spot->ways.end = graph->n_ways;
   }
}

/* How often control went to each repeated instruction from elsewhere. */
static void count_entries(ControlGraph* graph, const Gathering* g)
{
   for (size_t i = 0; i < g->passages.n; i++) {
      const uint64_t* passage = cg2p_sums_at(&g->passages, i);
      uint64_t from = passage[PASSAGE_FROM], to = passage[PASSAGE_TO];
      if (to != CG2P_NONE && from != to &&
          kind_of(&graph->spots[to]) == CG2P_REPEATS)
         graph->entries[to] += passage[PASSAGE_COUNT];
   }
}

/* How often a spot went on to the one behind it in memory. */
static uint64_t passed(const GraphSpot* spot)
{
   switch (kind_of(spot)) {
   case CG2P_BRANCHES:
      return spot->count -
             (((unsigned __int128)spot->count * spot->taken) >> 32);
   case CG2P_JUMPS:
   case CG2P_JUMPS_COMPUTED:
   case CG2P_RETURNS:
   case CG2P_STOPS:
      return 0;
   default:
      return spot->count;
   }
}

/* How often a repeated instruction began: as often as control came to it. */
static void
count_repeated(ControlGraph* graph, Failure* failure, const Gathering* g)
{
   size_t n = (size_t)graph->n + 1;
   graph->entries = cg2p_memory_allocate(failure, n * sizeof *graph->entries);
   count_entries(graph, g);
   for (uint32_t i = 0; i < graph->n; i++) {
      GraphSpot* spot = &graph->spots[i];
      if (kind_of(spot) != CG2P_REPEATS) continue;
      bool is_next = i && graph->spots[i - 1].next == i;
      uint64_t began = graph->entries[i];
      if (is_next) began += passed(&graph->spots[i - 1]);
      if (began && began < spot->count) spot->count = began;
   }
   free(graph->entries);
   graph->entries = NULL;
}

/*--- Callers ------------------------------------------------------------*/

/* The routine that a passage calls; CG2P_NONE: it calls none. */
static uint32_t called(const ControlGraph* graph, const uint64_t* passage)
{
   bool is_call = passage[PASSAGE_IS_CALL] && passage[PASSAGE_TO] != CG2P_NONE;
   return is_call ? graph->spots[passage[PASSAGE_TO]].routine : CG2P_NONE;
}

static void
make_callers(ControlGraph* graph, Failure* failure, const Gathering* g)
{
   const Sums* passages = &g->passages;
   size_t n = (size_t)graph->n_routines + 1, all = 0;
   graph->callers = cg2p_memory_allocate(failure, n * sizeof *graph->callers);
   for (size_t i = 0; i < passages->n; i++) {
      uint32_t routine = called(graph, cg2p_sums_at(passages, i));
      if (routine != CG2P_NONE) graph->callers[routine].end++;
   }
   for (size_t r = 0; r < n; r++) {
      uint32_t of_routine = graph->callers[r].end;
      graph->callers[r].first = graph->callers[r].end = graph->n_ways + all;
      all += of_routine;
   }
   graph->ways = cg2p_memory_grow(failure, graph->ways, &graph->ways_room,
                                  graph->n_ways + all + 1, sizeof *graph->ways);
   for (size_t i = 0; i < passages->n; i++) {
      const uint64_t* passage = cg2p_sums_at(passages, i);
      uint32_t routine = called(graph, passage);
      if (routine == CG2P_NONE) continue;
      graph->ways[graph->callers[routine].end++] =
         (GraphWay){passage[PASSAGE_FROM], passage[PASSAGE_COUNT]};
   }
   graph->n_ways += all;
   for (size_t r = 0; r < n; r++)
      sum_up(graph, graph->callers[r]);
}

void cg2p_controlgraph_make(ControlGraph* graph,
                            Failure* failure,
                            const Gathering* g)
{
   graph->n = g->objects->n_spots;
   graph->n_routines = g->n_routines;
   graph->spots = cg2p_memory_allocate(failure, (graph->n + (size_t)1) *
                                                   sizeof *graph->spots);
   make_spots(graph, g);
   make_ways(graph, failure, g);
   add_targets(graph, failure, g);
   count_repeated(graph, failure, g);
   make_callers(graph, failure, g);
}

void cg2p_controlgraph_free(ControlGraph* graph)
{
   free(graph->spots);
   free(graph->ways);
   free(graph->callers);
   free(graph->entries);
}
