/* Bound by latency: a list of BYTES, its nodes STRIDE bytes apart, in random
 * order. Where TLB_ONLY, each node is in a page of its own, on a line that
 * changes every 16 pages: then all sets of a second level have some, by virtual
 * addresses and by those of pages that lie anywhere. */
#include "bench.h"
#ifdef TLB_ONLY
enum { NODES = BYTES / 4096 };
#define PLACE(i) ((size_t)(i)*4096 + (size_t)(i) / 16 % 64 * 64)
#else
enum { NODES = BYTES / STRIDE };
#define PLACE(i) ((size_t)(i)*STRIDE)
#endif
static void* at;

void setup(void)
{
   char* m = big((size_t)BYTES + 4096);
   uint32_t* order = malloc(NODES * sizeof *order);
   shuffle(order, NODES);
   for (uint32_t i = 0; i < NODES; i++)
      *(void**)(m + PLACE(order[i])) = m + PLACE(order[(i + 1) % NODES]);
   at = m + PLACE(order[0]);
   free(order);
}

void bench(void)
{
   for (int i = 0; i < STEPS; i++)
      at = *(void* volatile*)at;
   KEEP(at);
}
