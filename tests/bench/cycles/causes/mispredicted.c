/* Bound by mispredictions: BRANCH 1 a branch on each bit of random words, 2
 * jumps to one of eight places at random, 3 a search in random order. */
#include "bench.h"
enum { N = 6000 };
static uint64_t words[N];
static uint32_t sorted[1024];

void setup(void)
{
   for (int i = 0; i < 1024; i++)
      sorted[i] = (uint32_t)i * 4000000;
}

void prepare(void)
{
   for (int i = 0; i < N; i++)
      words[i] = rnd();
}

void bench(void)
{
   uint64_t s = 0;
   for (int i = 0; i < N; i++) {
#if BRANCH == 1
      for (int bit = 0; bit < 12; bit++)
         if (words[i] >> (bit * 5) & 1) {
            s += 3;
            KEEP(s);
         }
#elif BRANCH == 2
      for (int shift = 0; shift < 30; shift += 3)
         switch (words[i] >> (shift * 2) & 7) {
         case 0:
            s += 3;
            break;
         case 1:
            s ^= 5;
            break;
         case 2:
            s -= 7;
            break;
         case 3:
            s *= 3;
            break;
         case 4:
            s |= 1;
            break;
         case 5:
            s &= 0xFFFFFFF;
            break;
         case 6:
            s <<= 1;
            break;
         default:
            s = ~s;
         }
#else
      uint32_t low = 0, high = 1024, key = (uint32_t)words[i];
      while (low < high) {
         uint32_t middle = (low + high) / 2;
         if (sorted[middle] < key)
            low = middle + 1;
         else
            high = middle;
         KEEP(low);
      }
      s += low;
#endif
   }
   KEEP(s);
}
