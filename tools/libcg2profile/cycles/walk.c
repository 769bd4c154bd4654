#include "cycles/walk.h"
#include "base/search.h"

#include <stdlib.h>

/*--- Random numbers -----------------------------------------------------*/

/* The generator is SplitMix64 (Steele, Lea and Flood 2014). */
void cg2p_walk_seed(Random* random, uint64_t seed)
{
   random->state = (seed + 1) * 0x9e3779b97f4a7c15ull;
}

uint64_t cg2p_walk_random(Random* random)
{
   uint64_t mixed = random->state += 0x9e3779b97f4a7c15ull;
   mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
   mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
   return mixed ^ mixed >> 31;
}

uint64_t cg2p_walk_below(Random* random, uint64_t n)
{
   return (unsigned __int128)cg2p_walk_random(random) * n >> 64;
}

/*--- Beginning ----------------------------------------------------------*/

void cg2p_walk_begin(Walk* walk,
                     Failure* failure,
                     const ControlGraph* graph,
                     uint64_t seed)
{
   uint64_t sum = 0;
   size_t n = (size_t)graph->n + 1;
   walk->graph = graph;
   cg2p_walk_seed(&walk->random, seed);
   walk->up_to = cg2p_memory_allocate(failure, n * sizeof *walk->up_to);
   walk->rests = cg2p_memory_allocate(failure, n * sizeof *walk->rests);
   for (uint32_t i = 0; i < graph->n; i++) {
      const GraphSpot* spot = &graph->spots[i];
      if (spot->operation && __builtin_add_overflow(sum, spot->count, &sum))
         cg2p_failure_at(failure, 0,
                         "a sum is too large; expected less than 2^64");
      walk->up_to[i] = sum;
      walk->rests[i] = cg2p_walk_random(&walk->random);
   }
}

uint32_t cg2p_walk_start(Walk* walk, uint64_t i, uint64_t n)
{
   uint32_t spots = walk->graph->n;
   uint64_t all = spots ? walk->up_to[spots - 1] : 0;
   walk->used = 0;
   if (!all) return CG2P_NONE;
   uint64_t from = (unsigned __int128)all * i / n;
   uint64_t end = (unsigned __int128)all * (i + 1) / n;
   uint64_t at =
      from + (end > from ? cg2p_walk_below(&walk->random, end - from) : 0);
   return cg2p_search_first(s, 0, spots, walk->up_to[s] <= at);
}

/*--- Steps --------------------------------------------------------------*/

/* Draws a way, by how often each was taken; CG2P_NONE: there is none. */
static uint32_t choose(Walk* walk, WayRange range)
{
   const GraphWay* ways = walk->graph->ways;
   if (range.first == range.end) return CG2P_NONE;
   if (range.end - range.first == 1) return ways[range.first].to;
   uint64_t at = cg2p_walk_below(&walk->random, ways[range.end - 1].up_to);
   size_t way =
      cg2p_search_first(w, range.first, range.end, ways[w].up_to <= at);
   return ways[way].to;
}

static void push(Walk* walk, uint32_t spot)
{
   walk->stack[walk->depth] = spot;
   walk->depth = (walk->depth + 1) % WALK_DEPTH;
   if (walk->used < WALK_DEPTH) walk->used++;
}

static uint32_t kind_at(const Walk* walk, uint32_t spot)
{
   const cg2p_operation* operation = walk->graph->spots[spot].operation;
   return operation ? operation->step.kind : CG2P_GOES_ON;
}

/* Where a routine returns to that was called before the walk began. */
static uint32_t return_of(Walk* walk, uint32_t routine)
{
   enum { JUMPS_MAX = 8 }; /* calls that are jumps at the end of routines */
   for (int i = 0; i < JUMPS_MAX && routine != CG2P_NONE; i++) {
      uint32_t caller = choose(walk, walk->graph->callers[routine]);
      if (caller == CG2P_NONE) return CG2P_NONE;
      uint32_t kind = kind_at(walk, caller);
      if (kind == CG2P_CALLS || kind == CG2P_CALLS_COMPUTED)
         return walk->graph->spots[caller].next;
      routine = walk->graph->spots[caller].routine;
   }
   return CG2P_NONE;
}

static uint32_t return_from(Walk* walk, const GraphSpot* spot)
{
   if (!walk->used) return return_of(walk, spot->routine);
   walk->used--;
   walk->depth = (walk->depth + WALK_DEPTH - 1) % WALK_DEPTH;
   return walk->stack[walk->depth];
}

/* Calls of what is not known return at once. */
static uint32_t call(Walk* walk, const GraphSpot* spot, bool* taken)
{
   uint32_t to = choose(walk, spot->ways);
   bool is_known = to != CG2P_NONE && walk->graph->spots[to].operation;
   *taken = is_known;
   if (!is_known) return spot->next;
   push(walk, spot->next);
   return to;
}

/* Branches back are taken as often in a row as they were on average; others at
 * random. */
static uint32_t branch(Walk* walk, uint32_t number, bool* taken)
{
   const GraphSpot* spot = &walk->graph->spots[number];
   *taken = spot->is_backward
               ? cg2p_walk_happens(&walk->rests[number], spot->taken)
               : (uint32_t)cg2p_walk_random(&walk->random) < spot->taken;
   if (spot->ways.first == spot->ways.end) *taken = false;
   return *taken ? choose(walk, spot->ways) : spot->next;
}

uint32_t cg2p_walk_next(Walk* walk, uint32_t number, bool* taken)
{
   const GraphSpot* spot = &walk->graph->spots[number];
   *taken = true;
   switch (kind_at(walk, number)) {
   case CG2P_BRANCHES:
      return branch(walk, number, taken);
   case CG2P_JUMPS:
   case CG2P_JUMPS_COMPUTED:
      return choose(walk, spot->ways);
   case CG2P_CALLS:
   case CG2P_CALLS_COMPUTED:
      return call(walk, spot, taken);
   case CG2P_RETURNS:
      return return_from(walk, spot);
   case CG2P_STOPS:
      return CG2P_NONE;
   default:
      *taken = false;
      return spot->next;
   }
}

void cg2p_walk_free(Walk* walk)
{
   free(walk->up_to);
   free(walk->rests);
}
