/* A Fourier transform of 1024 complex numbers, in place, radix 2. */
#include "bench.h"
#include <math.h>
enum { N = 1024, BITS = 10 };
static float re[N], im[N], cosine[N / 2], sine[N / 2];

void setup(void)
{
   for (int i = 0; i < N / 2; i++) {
      cosine[i] = (float)cos(6.283185307179586 * i / N);
      sine[i] = (float)-sin(6.283185307179586 * i / N);
   }
   for (int i = 0; i < N; i++) {
      re[i] = (float)(rnd() % 1000);
      im[i] = 0;
   }
}

static void reorder(void)
{
   for (uint32_t i = 0; i < N; i++) {
      uint32_t j = 0;
      for (int bit = 0; bit < BITS; bit++)
         j |= (i >> bit & 1) << (BITS - 1 - bit);
      if (j > i) {
         float t = re[i], u = im[i];
         re[i] = re[j], im[i] = im[j];
         re[j] = t, im[j] = u;
      }
   }
}

void bench(void)
{
   for (int r = 0; r < 10; r++) {
      reorder();
      for (int half = 1; half < N; half *= 2)
         for (int i = 0; i < N; i += 2 * half)
            for (int k = 0; k < half; k++) {
               float c = cosine[k * (N / 2 / half)];
               float s = sine[k * (N / 2 / half)];
               int p = i + k, q = p + half;
               float x = re[q] * c - im[q] * s, y = re[q] * s + im[q] * c;
               re[q] = (re[p] - x) * 0.7f, im[q] = (im[p] - y) * 0.7f;
               re[p] = (re[p] + x) * 0.7f, im[p] = (im[p] + y) * 0.7f;
            }
      KEEP(re);
   }
}
