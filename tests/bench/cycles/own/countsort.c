/* Sorts records by a key of 11 bits: a histogram, its sums, a move of each. */
#include "bench.h"
enum { N = 60000, KEYS = 2048 };
static struct record {
   uint32_t key, value;
} in[N], out[N];
static uint32_t first[KEYS + 1];

void setup(void) {}

void prepare(void)
{
   for (int i = 0; i < N; i++)
      in[i] = (struct record){rnd() >> 20 & (KEYS - 1), (uint32_t)i};
}

void bench(void)
{
   memset(first, 0, sizeof first);
   for (int i = 0; i < N; i++)
      first[in[i].key + 1]++;
   for (int k = 0; k < KEYS; k++)
      first[k + 1] += first[k];
   for (int i = 0; i < N; i++)
      out[first[in[i].key]++] = in[i];
   KEEP(out);
}
