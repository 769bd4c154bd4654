/* Throws dice: xoshiro256++, and numbers below 6 by a multiplication. */
#include "bench.h"
enum { N = 150000 };
static uint64_t s[4];
static uint32_t thrown[8];

void setup(void)
{
   for (int i = 0; i < 4; i++)
      s[i] = rnd();
}

static inline uint64_t rotate(uint64_t x, int n)
{
   return x << n | x >> (64 - n);
}

static inline uint64_t next(void)
{
   uint64_t result = rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;
   s[2] ^= s[0];
   s[3] ^= s[1];
   s[1] ^= s[2];
   s[0] ^= s[3];
   s[2] ^= t;
   s[3] = rotate(s[3], 45);
   return result;
}

void bench(void)
{
   uint64_t sum = 0;
   for (int i = 0; i < N; i++)
      sum += (next() >> 32) * 6 >> 32;
   thrown[sum & 7]++;
   KEEP(thrown);
}
