#include "cycles/bounds.h"
#include "cycles/recurrence.h"

#include <stdlib.h>
#include <string.h>

/*--- The way around -----------------------------------------------------*/

/* The way that was taken most often; CG2P_NONE: none is known. */
static uint32_t
likeliest(const ControlGraph* graph, const GraphSpot* spot, uint64_t* count)
{
   uint32_t to = CG2P_NONE;
   uint64_t before = 0;
   *count = 0;
   for (uint32_t w = spot->ways.first; w < spot->ways.end; w++) {
      uint64_t own = graph->ways[w].up_to - before;
      before = graph->ways[w].up_to;
      if (own <= *count) continue;
      *count = own;
      to = graph->ways[w].to;
   }
   return to;
}

/* Where control goes most often from a spot; calls are not followed. */
static uint32_t next_of(const ControlGraph* graph, uint32_t number)
{
   const GraphSpot* spot = &graph->spots[number];
   uint64_t count;
   switch (spot->operation->step.kind) {
   case CG2P_BRANCHES:
      if (spot->taken > SHARE_WHOLE / 2 && spot->ways.first < spot->ways.end)
         return likeliest(graph, spot, &count);
      return spot->next;
   case CG2P_JUMPS:
   case CG2P_JUMPS_COMPUTED:
      return likeliest(graph, spot, &count);
   case CG2P_RETURNS:
   case CG2P_STOPS:
      return CG2P_NONE;
   default:
      return spot->next;
   }
}

/* Goes around from a loop's head. False: control does not come back there. */
static bool go_around(const ControlGraph* graph, uint32_t head, LoopPath* path)
{
   uint32_t at = head;
   path->n = 0;
   do {
      if (at == CG2P_NONE || !graph->spots[at].operation || path->n == LOOP_MAX)
         return false;
      path->spots[path->n++] = at;
      at = next_of(graph, at);
   } while (at != head);
   return true;
}

/*--- Floors -------------------------------------------------------------*/

enum { SETS_MAX = 12 };

/* What waits for each set of ports, in cycles of a port. */
typedef struct PortNeeds {
   uint32_t n, sets[SETS_MAX];
   uint64_t cycles[SETS_MAX];
} PortNeeds;

static void need(PortNeeds* needs, uint32_t set, uint64_t cycles)
{
   uint32_t i = 0;
   while (i < needs->n && needs->sets[i] != set)
      i++;
   if (i == SETS_MAX) return;
   if (i == needs->n) {
      needs->sets[needs->n++] = set;
      needs->cycles[i] = 0;
   }
   needs->cycles[i] += cycles;
}

static void need_of(const Bounds* bounds, uint32_t spot, PortNeeds* needs)
{
   const cg2p_operation* o = bounds->graph->spots[spot].operation;
   const Work* work = &bounds->workload->of[spot];
   const CorePorts* access = &bounds->core->access;
   for (uint32_t u = 0; u < work->n_uses; u++)
      need(needs, work->uses[u].ports,
           (uint64_t)work->uses[u].count * work->uses[u].occupied);
   if (o->access.loads)
      need(needs, o->is_vector ? access->vector_load : access->load, 1);
   if (!o->access.stores && !o->access2.stores) return;
   need(needs, access->store_address, 1);
   need(needs, o->is_vector ? access->vector_store : access->store_data, 1);
}

/* The busiest ports: of any sets together, all that only they can do. */
static double floor_of(const PortNeeds* needs)
{
   double most = 0;
   for (uint32_t some = 1; some < 1u << needs->n; some++) {
      uint32_t ports = 0;
      uint64_t cycles = 0;
      for (uint32_t i = 0; i < needs->n; i++)
         if (some >> i & 1) ports |= needs->sets[i];
      for (uint32_t i = 0; i < needs->n; i++)
         if (!(needs->sets[i] & ~ports)) cycles += needs->cycles[i];
      double least = (double)cycles / __builtin_popcount(ports);
      if (least > most) most = least;
   }
   return most;
}

static void
set_floors(const Bounds* bounds, const LoopPath* path, cg2p_bound* b)
{
   PortNeeds needs = {.n = 0};
   uint64_t slots = 0, divider = 0;
   for (uint32_t i = 0; i < path->n; i++) {
      const Work* work = &bounds->workload->of[path->spots[i]];
      need_of(bounds, path->spots[i], &needs);
      slots += work->slots;
      divider += work->divider;
   }
   b->ports = floor_of(&needs);
   if (divider > b->ports) b->ports = divider;
   b->width = (double)slots / bounds->core->numbers.sizes.width;
}

/*--- Loops --------------------------------------------------------------*/

static uint64_t
address_of(const Bounds* bounds, uint32_t spot, uint32_t* object)
{
   const CycleObjects* objects = bounds->gathering->objects;
   size_t o = objects->n - 1;
   while (objects->of[o].first > spot)
      o--;
   *object = o;
   return objects->of[o].addresses[spot - objects->of[o].first];
}

/* What an iteration takes by the estimate. */
static double cycles_of(const Bounds* bounds, const LoopPath* path)
{
   double sum = 0;
   for (uint32_t i = 0; i < path->n; i++) {
      uint32_t spot = path->spots[i];
      Price price;
      uint64_t all = 0;
      cg2p_prices_of(bounds->prices, spot, &price);
      for (int c = 0; c < CAUSES; c++)
         all += price.of[c];
      double ir = bounds->gathering->counters[(size_t)spot * COUNTERS];
      sum += all / (double)(1 << PRICE_BITS) * ir /
             bounds->graph->spots[spot].count;
   }
   return sum;
}

static bool is_dearer(const cg2p_bound* a, const cg2p_bound* b)
{
   double cost_a = a->cycles * a->iterations,
          cost_b = b->cycles * b->iterations;
   return cost_a > cost_b;
}

/* Keeps the dearest loops in their order; of equal ones the first. */
static void
keep(Bounds* bounds, const cg2p_bound* bound, uint32_t head, uint32_t tail)
{
   size_t at = bounds->n;
   while (at && is_dearer(bound, &bounds->of[at - 1]))
      at--;
   if (at == BOUNDS_MAX) return;
   if (bounds->n < BOUNDS_MAX) bounds->n++;
   for (size_t i = bounds->n - 1; i > at; i--) {
      bounds->of[i] = bounds->of[i - 1];
      bounds->heads[i] = bounds->heads[i - 1];
      bounds->tails[i] = bounds->tails[i - 1];
   }
   bounds->of[at] = *bound;
   bounds->heads[at] = head;
   bounds->tails[at] = tail;
}

/* A spot that goes back most often to a head before it closes a loop. */
static void consider(Bounds* bounds, uint32_t tail, LoopPath* path)
{
   const GraphSpot* spot = &bounds->graph->spots[tail];
   uint64_t iterations;
   if (!spot->operation || spot->operation->step.kind < CG2P_BRANCHES ||
       spot->operation->step.kind > CG2P_JUMPS_COMPUTED)
      return;
   uint32_t head = likeliest(bounds->graph, spot, &iterations);
   if (head > tail || next_of(bounds->graph, tail) != head) return;
   if (!go_around(bounds->graph, head, path) ||
       path->spots[path->n - 1] != tail)
      return;
   cg2p_bound bound = {.iterations = iterations,
                       .cycles = cycles_of(bounds, path)};
   keep(bounds, &bound, head, tail);
}

static void explain(Bounds* bounds, size_t i, LoopPath* path, LoopChain* chain)
{
   cg2p_bound* bound = &bounds->of[i];
   uint32_t object;
   bound->first = address_of(bounds, bounds->heads[i], &object);
   bound->last = address_of(bounds, bounds->tails[i], &object);
   bound->object = object;
   go_around(bounds->graph, bounds->heads[i], path);
   set_floors(bounds, path, bound);
   cg2p_recurrence_find(chain, &bounds->recurrence, bounds->failure, path,
                        bounds->graph, bounds->workload,
                        &bounds->core->numbers);
   uint64_t* links = cg2p_arena_add(&bounds->arena, bounds->failure,
                                    (chain->n + 1) * sizeof *links);
   for (uint32_t k = 0; k < chain->n; k++)
      links[k] = address_of(bounds, chain->spots[k], &object);
   bound->chain = chain->cycles;
   bound->n_links = chain->n;
   bound->links = links;
}

void cg2p_bounds_find(Bounds* bounds)
{
   LoopPath* path =
      cg2p_arena_add(&bounds->arena, bounds->failure, sizeof *path);
   LoopChain* chain =
      cg2p_arena_add(&bounds->arena, bounds->failure, sizeof *chain);
   for (uint32_t i = 0; i < bounds->graph->n; i++)
      consider(bounds, i, path);
   for (size_t i = 0; i < bounds->n; i++)
      explain(bounds, i, path, chain);
}

void cg2p_bounds_free(Bounds* bounds)
{
   cg2p_recurrence_free(&bounds->recurrence);
   cg2p_arena_free(&bounds->arena);
}
