/* Sorts eights of numbers by a network of minima and maxima. */
#include "bench.h"
enum { N = 24000 };
static uint32_t a[N], b[N];

void setup(void)
{
   for (int i = 0; i < N; i++)
      b[i] = (uint32_t)rnd();
}

#define SWAP(i, j)                                                             \
   {                                                                           \
      uint32_t x = p[i], y = p[j];                                             \
      p[i] = x < y ? x : y;                                                    \
      p[j] = x < y ? y : x;                                                    \
   }

static NI void sort8(uint32_t* v)
{
   uint32_t p[8];
   memcpy(p, v, sizeof p);
   SWAP(0, 1)
   SWAP(2, 3)
   SWAP(4, 5) SWAP(6, 7) SWAP(0, 2) SWAP(1, 3) SWAP(4, 6) SWAP(5, 7) SWAP(1, 2)
      SWAP(5, 6) SWAP(0, 4) SWAP(3, 7) SWAP(1, 5) SWAP(2, 6) SWAP(1, 4)
         SWAP(3, 6) SWAP(2, 4) SWAP(3, 5) SWAP(3, 4) memcpy(v, p, sizeof p);
}

void bench(void)
{
   for (int r = 0; r < 6; r++) {
      memcpy(a, b, sizeof a);
      for (int i = 0; i < N; i += 8)
         sort8(a + i);
      KEEP(a);
   }
}
