/* Solves linear equations: LU decomposition with pivots, then substitution. */
#include "bench.h"
#include <math.h>
enum { N = 72 };
static double from[N][N], a[N][N], x[N];

void setup(void) {}

void prepare(void)
{
   for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
         from[i][j] = (double)(int32_t)rnd() / 2147483648.0;
}

static void eliminate(int k)
{
   int pivot = k;
   for (int i = k + 1; i < N; i++)
      if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
   for (int j = 0; j < N; j++) {
      double t = a[k][j];
      a[k][j] = a[pivot][j];
      a[pivot][j] = t;
   }
   for (int i = k + 1; i < N; i++) {
      double factor = a[i][k] / a[k][k];
      for (int j = k; j < N; j++)
         a[i][j] -= factor * a[k][j];
      x[i] -= factor * x[k];
   }
}

void bench(void)
{
   for (int r = 0; r < 4; r++) {
      memcpy(a, from, sizeof a);
      for (int i = 0; i < N; i++)
         x[i] = i + r;
      for (int k = 0; k < N; k++)
         eliminate(k);
      for (int i = N; i-- > 0;) {
         for (int j = i + 1; j < N; j++)
            x[i] -= a[i][j] * x[j];
         x[i] /= a[i][i];
      }
      KEEP(x);
   }
}
