/* A filter of 31 taps over samples of 16 bits. */
#include "bench.h"
enum { N = 24000, TAPS = 31 };
static int16_t in[N + TAPS], out[N];
static int16_t taps[TAPS];

void setup(void)
{
   for (int i = 0; i < TAPS; i++)
      taps[i] = (int16_t)(rnd() % 2000) - 1000;
   for (int i = 0; i < N + TAPS; i++)
      in[i] = (int16_t)rnd();
}

void bench(void)
{
   for (int i = 0; i < N; i++) {
      int32_t sum = 1 << 14;
      for (int k = 0; k < TAPS; k++)
         sum += in[i + k] * taps[k];
      out[i] = (int16_t)(sum >> 15);
   }
   KEEP(out);
}
