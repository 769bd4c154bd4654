/* How each function of a cycle is reached from one of them: the dearest calls
 * first, as in Prim's algorithm. */
#include "stacks/spanning.h"

/*--- The calls to follow, as a heap -------------------------------------*/

/* Whether a call is followed before another: it costs more, which the first
 * event decides that differs; or as much, and was found before. */
static bool is_before(const Maker* m, const Reach* a, const Reach* b)
{
   if (a->call == CG2P_NONE || b->call == CG2P_NONE)
      return a->call == CG2P_NONE;
   const uint64_t *one = cg2p_calls_cost(&m->calls, a->call),
                  *other = cg2p_calls_cost(&m->calls, b->call);
   for (uint32_t i = 0; i < m->part->n_events; i++)
      if (one[i] != other[i]) return one[i] > other[i];
   return a->place < b->place;
}

static void swap(Reach* a, Reach* b)
{
   Reach kept = *a;
   *a = *b;
   *b = kept;
}

static void push(Maker* m, Reach reach)
{
   Trees* trees = &m->trees;
   size_t i = trees->n_heap++;
   trees->heap = cg2p_memory_grow(&m->failure, trees->heap, &trees->heap_room,
                                  i + 1, sizeof *trees->heap);
   trees->heap[i] = reach;
   for (; i && is_before(m, &trees->heap[i], &trees->heap[(i - 1) / 2]);
        i = (i - 1) / 2)
      swap(&trees->heap[i], &trees->heap[(i - 1) / 2]);
}

/* Which of a place of the heap and the two below it is the first one. */
static size_t first_of(const Maker* m, size_t i)
{
   const Trees* trees = &m->trees;
   size_t first = i;
   for (size_t below = 2 * i + 1; below <= 2 * i + 2; below++)
      if (below < trees->n_heap &&
          is_before(m, &trees->heap[below], &trees->heap[first]))
         first = below;
   return first;
}

static Reach pop(Maker* m)
{
   Trees* trees = &m->trees;
   Reach top = trees->heap[0];
   trees->heap[0] = trees->heap[--trees->n_heap];
   for (size_t i = 0, next; (next = first_of(m, i)) != i; i = next)
      swap(&trees->heap[i], &trees->heap[next]);
   return top;
}

/*--- Trees --------------------------------------------------------------*/

static void add(Maker* m, uint32_t call)
{
   Trees* trees = &m->trees;
   trees->calls = cg2p_memory_grow(&m->failure, trees->calls, &trees->room,
                                   trees->n + 1, sizeof *trees->calls);
   trees->calls[trees->n++] = call;
}

static void make(Maker* m, uint32_t start)
{
   Trees* trees = &m->trees;
   const Calls* calls = &m->calls;
   uint32_t cycle = m->cycles.of[start], place = 0;
   trees->n_trees++;
   push(m, (Reach){CG2P_NONE, place++});
   while (trees->n_heap) {
      Reach reach = pop(m);
      uint32_t function =
         reach.call == CG2P_NONE ? start : calls->of[reach.call].callee;
      if (trees->reached[function] == trees->n_trees) continue;
      trees->reached[function] = trees->n_trees;
      add(m, reach.call);
      for (uint32_t call = calls->first[function];
           call < calls->first[function + 1]; call++)
         if (m->cycles.of[calls->of[call].callee] == cycle)
            push(m, (Reach){call, place++});
   }
}

const uint32_t* cg2p_spanning_tree(Maker* m, uint32_t start)
{
   Trees* trees = &m->trees;
   uint32_t cycle = m->cycles.of[start];
   if (trees->cycle != cycle) {
      trees->cycle = cycle;
      trees->n = 0;
   }
   if (trees->made[start] != cycle + 1) {
      trees->first[start] = trees->n;
      make(m, start);
      trees->made[start] = cycle + 1;
   }
   return trees->calls + trees->first[start];
}
