/* All ways to put nine queens on a board, by bits and recursion. */
#include "bench.h"

void setup(void) {}

static NI uint32_t place(uint32_t free, uint32_t left, uint32_t right)
{
   if (!free) return 1;
   uint32_t ways = 0, open = free & ~(left | right);
   while (open) {
      uint32_t bit = open & -open;
      open ^= bit;
      ways += place(free ^ bit, (left | bit) << 1, (right | bit) >> 1);
   }
   return ways;
}

void bench(void)
{
   uint32_t ways = 0;
   for (int i = 0; i < 4; i++)
      ways += place(0x1FF, 0, 0);
   KEEP(ways);
}
