/* A matrix of floats by a vector, row by row, in the width of the processor. */
#include "bench.h"
enum { N = 192 };
static float a[N][N], x[N], y[N];

void setup(void)
{
   for (int i = 0; i < N; i++) {
      x[i] = (float)(rnd() % 100) / 100;
      for (int j = 0; j < N; j++)
         a[i][j] = (float)(rnd() % 100) / 1000;
   }
}

void bench(void)
{
   for (int r = 0; r < 50; r++) {
      for (int i = 0; i < N; i++) {
         float sum = 0;
         for (int j = 0; j < N; j++)
            sum += a[i][j] * x[j];
         y[i] = sum;
      }
      for (int i = 0; i < N; i++)
         x[i] = y[i] * 0.1f;
      KEEP(x);
   }
}
