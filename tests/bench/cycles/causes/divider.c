/* Bound by the divider: DIVIDER 1 integers of 32 bits, 2 doubles, 3 square
 * roots; independent of each other. */
#include "bench.h"
#include <math.h>
enum { N = 20000 };
static uint32_t a[N], b[N];
static double x[N], y[N];

void setup(void)
{
   for (int i = 0; i < N; i++) {
      a[i] = (uint32_t)rnd();
      b[i] = (uint32_t)(rnd() % 5000 + 1);
      x[i] = a[i];
      y[i] = b[i];
   }
}

void bench(void)
{
   uint32_t n = 0;
   for (int i = 0; i + 1 < N; i += 2) {
#if DIVIDER == 1
      n ^= a[i] / b[i];
      n ^= a[i + 1] / b[i + 1];
#elif DIVIDER == 2
      double p = x[i] / y[i], q = x[i + 1] / y[i + 1];
      x[i] = p * y[i], x[i + 1] = q * y[i + 1];
#else
      y[i] = sqrt(x[i]);
      y[i + 1] = sqrt(x[i + 1]);
#endif
   }
   KEEP(n);
   KEEP(x);
   KEEP(y);
}
