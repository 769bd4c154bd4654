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

/* What a load is forwarded this time, as often as was recorded; NULL:
 * nothing. */
static const Forward*
draw(LastStores* last, const ControlGraph* graph, uint32_t spot)
{
   const Forwards* all = last->forwards;
   if (!all->n) return NULL;
   uint32_t i = all->first[spot], end = all->first[spot + 1];
   if (i == end) return NULL;
   uint64_t at = cg2p_walk_below(&last->random, graph->spots[spot].count);
   while (i < end && all->of[i].up_to <= at)
      i++;
   return i < end ? &all->of[i] : NULL;
}

/* The store of a window that a load reads from by what is forwarded; NULL: it
 * is none of this window. */
static Record* find(const LastStores* last,
                    const Forward* forward,
                    uint32_t window,
                    bool* mixed)
{
   const StoreCircle* circle =
      &last->circles[last->forwards->sources[forward->store] - 1];
   if (circle->window != window || circle->n < forward->ago) return NULL;
   *mixed = !forward->is_whole;
   return circle->of[(circle->n - forward->ago) % FORWARD_AGO_MAX];
}

Record* cg2p_laststores_draw(LastStores* last,
                             const ControlGraph* graph,
                             uint32_t window,
                             uint32_t spot,
                             bool* mixed)
{
   const Forward* forward = draw(last, graph, spot);
   return forward ? find(last, forward, window, mixed) : NULL;
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
   return find(last, most, window, mixed);
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
