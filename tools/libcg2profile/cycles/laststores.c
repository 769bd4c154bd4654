#include "cycles/laststores.h"

#include <stdlib.h>

void cg2p_laststores_begin(LastStores* last,
                           Failure* failure,
                           const Forwards* forwards,
                           uint64_t seed)
{
   last->forwards = forwards;
   last->circles = cg2p_memory_allocate(
      failure, ((size_t)forwards->n_sources + 1) * sizeof *last->circles);
   cg2p_walk_seed(&last->random, ~seed / 2); /* far from those of others */
}

void cg2p_laststores_add(LastStores* last,
                         uint32_t window,
                         uint32_t spot,
                         Record* record)
{
   const Forwards* forwards = last->forwards;
   if (!forwards->n || !forwards->sources[spot]) return;
   StoreCircle* circle = &last->circles[forwards->sources[spot] - 1];
   if (circle->window != window) *circle = (StoreCircle){.window = window};
   circle->of[circle->n++ % FORWARD_AGO_MAX] = record;
}

/* The store of a window that a load reads from by what is forwarded; NULL: it
 * is none of this window. */
static Record*
find(const LastStores* last, const Forward* forward, uint32_t window)
{
   const StoreCircle* circle =
      &last->circles[last->forwards->sources[forward->store] - 1];
   if (circle->window != window || circle->n < forward->ago) return NULL;
   return circle->of[(circle->n - forward->ago) % FORWARD_AGO_MAX];
}

/* How often a load reads from stores that are in a window. */
static uint64_t
count_found(const LastStores* last, uint32_t window, uint32_t spot)
{
   const Forwards* all = last->forwards;
   uint64_t n = 0;
   for (uint32_t i = all->first[spot]; i < all->first[spot + 1]; i++)
      if (find(last, &all->of[i], window)) n += all->of[i].count;
   return n;
}

/* The store that a load reads from at time number `at` of those that it reads
 * from stores which are in a window. */
static Record* pick(const LastStores* last,
                    uint32_t window,
                    uint32_t spot,
                    uint64_t at,
                    bool* mixed)
{
   const Forwards* all = last->forwards;
   for (uint32_t i = all->first[spot]; i < all->first[spot + 1]; i++) {
      Record* record = find(last, &all->of[i], window);
      if (!record) continue;
      *mixed = !all->of[i].is_whole;
      if (at < all->of[i].count) return record;
      at -= all->of[i].count;
   }
   return NULL;
}

Record* cg2p_laststores_draw(LastStores* last,
                             const ControlGraph* graph,
                             uint32_t window,
                             uint32_t spot,
                             bool* mixed)
{
   const Forwards* all = last->forwards;
   if (!all->n || all->first[spot] == all->first[spot + 1]) return NULL;
   uint64_t recorded = all->of[all->first[spot + 1] - 1].up_to;
   uint64_t runs = graph->spots[spot].count;
   if (cg2p_walk_below(&last->random, runs) >= recorded) return NULL;
   uint64_t found = count_found(last, window, spot);
   if (!found) return NULL;
   uint64_t at = cg2p_walk_below(&last->random, found);
   return pick(last, window, spot, at, mixed);
}

bool cg2p_laststores_know(const LastStores* last,
                          const ControlGraph* graph,
                          uint32_t load,
                          uint32_t store)
{
   const GraphSpot* spot = &graph->spots[load];
   return last->forwards->n && spot->object == graph->spots[store].object &&
          spot->operation->step.kind != CG2P_RETURNS;
}

Record* cg2p_laststores_usual(const LastStores* last,
                              const ControlGraph* graph,
                              uint32_t window,
                              uint32_t spot,
                              bool* mixed)
{
   const Forwards* all = last->forwards;
   if (!all->n || all->first[spot] == all->first[spot + 1]) return NULL;
   const Forward* most = &all->of[all->first[spot]];
   if (most->count <= graph->spots[spot].count / 2) return NULL;
   Record* record = find(last, most, window);
   if (record) *mixed = !most->is_whole;
   return record;
}

/* Whether a load nearly always reads from the same store; also where no run
 * recorded what it reads, and the code says it. */
static bool
is_steady(const LastStores* last, const ControlGraph* graph, uint32_t spot)
{
   const Forwards* all = last->forwards;
   if (!all->n || all->first[spot] == all->first[spot + 1]) return true;
   uint64_t count = graph->spots[spot].count;
   return all->of[all->first[spot]].count >= count - count / 16;
}

bool cg2p_laststores_is_fast(const LastStores* last,
                             const ControlGraph* graph,
                             uint32_t spot,
                             const Record* store,
                             const CoreForwarding* forwarding)
{
   const cg2p_operation* load = graph->spots[spot].operation;
   if (forwarding->fast >= forwarding->latency || load->is_vector) return false;
   return cg2p_storage_is_seen(store, load) ||
          (forwarding->learned && is_steady(last, graph, spot));
}

void cg2p_laststores_free(LastStores* last)
{
   free(last->circles);
}
