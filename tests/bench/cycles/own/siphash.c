/* SipHash-2-4 of short keys of different lengths. */
#include "bench.h"
enum { KEYS = 4096 };
static uint8_t bytes[KEYS + 64];
static uint8_t lengths[KEYS];

void setup(void)
{
   for (int i = 0; i < KEYS + 64; i++)
      bytes[i] = (uint8_t)rnd();
}

void prepare(void)
{
   for (int i = 0; i < KEYS; i++)
      lengths[i] = 4 + rnd() % 44;
}

#define ROTATE(x, n) ((x) << (n) | (x) >> (64 - (n)))
#define ROUND                                                                  \
   v0 += v1, v1 = ROTATE(v1, 13), v1 ^= v0, v0 = ROTATE(v0, 32);               \
   v2 += v3, v3 = ROTATE(v3, 16), v3 ^= v2;                                    \
   v0 += v3, v3 = ROTATE(v3, 21), v3 ^= v0;                                    \
   v2 += v1, v1 = ROTATE(v1, 17), v1 ^= v2, v2 = ROTATE(v2, 32);

static NI uint64_t siphash(const uint8_t* p, size_t n)
{
   uint64_t v0 = 0x736f6d6570736575ull, v1 = 0x646f72616e646f6dull;
   uint64_t v2 = 0x6c7967656e657261ull, v3 = 0x7465646279746573ull, m;
   uint64_t last = (uint64_t)n << 56;
   for (; n >= 8; n -= 8, p += 8) {
      memcpy(&m, p, 8);
      v3 ^= m;
      ROUND ROUND v0 ^= m;
   }
   for (size_t i = 0; i < n; i++)
      last |= (uint64_t)p[i] << 8 * i;
   v3 ^= last;
   ROUND ROUND v0 ^= last;
   v2 ^= 0xff;
   ROUND ROUND ROUND ROUND return v0 ^ v1 ^ v2 ^ v3;
}

void bench(void)
{
   uint64_t sum = 0;
   for (int r = 0; r < 4; r++)
      for (int i = 0; i < KEYS; i++)
         sum ^= siphash(bytes + i, lengths[i]);
   KEEP(sum);
}
