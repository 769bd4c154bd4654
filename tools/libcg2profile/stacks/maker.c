#include "stacks/maker.h"

#include <stdlib.h>

/* Makes what ways and trees need. */
static void begin_ways(Maker* m)
{
   Failure* failure = &m->failure;
   size_t n = m->part->n_functions + 1, width = m->part->n_events;
   m->rows = cg2p_memory_allocate(failure, n * sizeof *m->rows);
   for (size_t i = 0; i < n; i++)
      m->rows[i] = (Row){CG2P_NONE, CG2P_NONE, 0};
   m->is_apportioned = cg2p_memory_allocate(failure, n);
   m->placed = cg2p_memory_allocate(failure, n * sizeof *m->placed);
   m->entry.rest = cg2p_memory_allocate(failure, width * sizeof *m->entry.rest);
   m->entry.small.sum =
      cg2p_memory_allocate(failure, width * sizeof *m->entry.small.sum);
   m->entry.small.largest =
      cg2p_memory_allocate(failure, width * sizeof *m->entry.small.largest);
   m->entry.small_stack = CG2P_NONE;
   Trees* trees = &m->trees;
   trees->cycle = CG2P_NONE;
   trees->first = cg2p_memory_allocate(failure, n * sizeof *trees->first);
   trees->made = cg2p_memory_allocate(failure, n * sizeof *trees->made);
   trees->reached = cg2p_memory_allocate(failure, n * sizeof *trees->reached);
}

/* Makes the share of a function's only stack: all. */
static void begin_shares(Maker* m)
{
   cg2p_stacks* made = m->made;
   made->shares = cg2p_memory_grow(&m->failure, NULL, &made->shares_room,
                                   m->part->n_events, sizeof *made->shares);
   for (uint32_t i = 0; i < m->part->n_events; i++)
      made->shares[i] = 1;
   made->n_shares = 1;
}

void cg2p_maker_begin(Maker* m)
{
   begin_ways(m);
   begin_shares(m);
}

uint32_t cg2p_maker_add_stack(Maker* m, const cg2p_stack* stack, uint32_t share)
{
   cg2p_stacks* made = m->made;
   uint32_t number = made->n;
   Row* row = &m->rows[stack->function];
   if (number >= UINT32_MAX - 1) cg2p_failure_memory(&m->failure, SIZE_MAX);
   made->of = cg2p_memory_grow(&m->failure, made->of, &made->room, number + 1,
                               sizeof *made->of);
   made->origins =
      cg2p_memory_grow(&m->failure, made->origins, &made->origins_room,
                       number + 1, sizeof *made->origins);
   made->of[number] = *stack;
   made->origins[number] = (Origin){share, row->n++, CG2P_NONE};
   if (row->first == CG2P_NONE)
      row->first = number;
   else
      made->origins[row->last].next = number;
   row->last = number;
   return made->n++;
}

void cg2p_maker_end(Maker* m)
{
   cg2p_arena_free(&m->scratch);
   cg2p_calls_free(&m->calls);
   free(m->rows);
   free(m->is_apportioned);
   free(m->roots.is_root);
   free(m->placed);
   free(m->entry.limits);
   free(m->entry.rest);
   free(m->entry.ways.of);
   free(m->entry.ways.costs);
   free(m->entry.small.sum);
   free(m->entry.small.largest);
   free(m->trees.first);
   free(m->trees.made);
   free(m->trees.calls);
   free(m->trees.heap);
   free(m->trees.reached);
   free(m->divided.stacks);
   free(m->divided.weights);
   free(m->divided.remainders);
}
