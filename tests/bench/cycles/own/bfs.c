/* Distances in a random graph of 6000 nodes, breadth first. */
#include "bench.h"
enum { NODES = 6000, EDGES = 24000 };
static uint32_t first[NODES + 1], to[EDGES], queue[NODES];
static int32_t distance[NODES];

void setup(void)
{
   static uint32_t from[EDGES];
   for (int i = 0; i < EDGES; i++) {
      from[i] = rnd() % NODES;
      first[from[i] + 1]++;
   }
   for (int i = 0; i < NODES; i++)
      first[i + 1] += first[i];
   static uint32_t at[NODES];
   for (int i = 0; i < EDGES; i++)
      to[first[from[i]] + at[from[i]]++] = rnd() % NODES;
}

static NI uint32_t search(uint32_t start)
{
   uint32_t head = 0, tail = 0;
   memset(distance, -1, sizeof distance);
   distance[start] = 0;
   queue[tail++] = start;
   while (head < tail) {
      uint32_t node = queue[head++];
      for (uint32_t e = first[node]; e < first[node + 1]; e++)
         if (distance[to[e]] < 0) {
            distance[to[e]] = distance[node] + 1;
            queue[tail++] = to[e];
         }
   }
   return tail;
}

void bench(void)
{
   uint32_t sum = 0;
   for (int i = 0; i < 4; i++)
      sum += search(rnd() % NODES);
   KEEP(sum);
}
