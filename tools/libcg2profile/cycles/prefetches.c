#include "cycles/prefetches.h"

#include <stdlib.h>
#include <string.h>

/* What the spots of a function did. */
typedef struct Routine {
   uint64_t prefetched, missed; /* lines; of the first level */
} Routine;

static bool prefetches(const cg2p_operation* o)
{
   return o && (!strncmp(o->form, "prefetch", strlen("prefetch")) ||
                !strncmp(o->form, "prfm", strlen("prfm")));
}

/* Whether any does. */
static bool
sum_up(Routine* routines, const Gathering* gathering, const ControlGraph* graph)
{
   bool found = false;
   for (uint32_t i = 0; i < graph->n; i++) {
      const uint64_t* counters = gathering->counters + (size_t)i * COUNTERS;
      if (graph->spots[i].routine == CG2P_NONE) continue;
      Routine* routine = &routines[graph->spots[i].routine];
      routine->missed += counters[COUNT_READ] + counters[COUNT_WRITE];
      if (!prefetches(graph->spots[i].operation)) continue;
      routine->prefetched += counters[COUNT_IR];
      found = true;
   }
   return found;
}

/* Takes the share from a count; what it took. */
static uint64_t take(uint64_t* count, Share share)
{
   uint64_t taken = (unsigned __int128)*count * share >> SHARE_BITS;
   *count -= taken;
   return taken;
}

/* The last level has them. Their lines come from memory in time. */
static void hide(uint64_t* counters, Share share)
{
   enum { LAST = 2 };
   counters[COUNT_READ_BROUGHT + LAST] +=
      take(&counters[COUNT_READ + LAST], share);
   counters[COUNT_WRITE_BROUGHT + LAST] +=
      take(&counters[COUNT_WRITE + LAST], share);
}

void cg2p_prefetches_hide(Gathering* gathering,
                          Failure* failure,
                          const ControlGraph* graph)
{
   Routine* routines = cg2p_memory_allocate(
      failure, ((size_t)graph->n_routines + 1) * sizeof *routines);
   if (sum_up(routines, gathering, graph))
      for (uint32_t i = 0; i < graph->n; i++) {
         if (graph->spots[i].routine == CG2P_NONE) continue;
         const Routine* routine = &routines[graph->spots[i].routine];
         hide(gathering->counters + (size_t)i * COUNTERS,
              cg2p_controlgraph_share(routine->prefetched, routine->missed));
      }
   free(routines);
}
