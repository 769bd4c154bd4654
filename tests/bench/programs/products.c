/* Products of matrices by a library of BLAS: products ROUNDS. Prints what came
 * out. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 192 };

void dgemm_(const char*,
            const char*,
            const int*,
            const int*,
            const int*,
            const double*,
            const double*,
            const int*,
            const double*,
            const int*,
            const double*,
            double*,
            const int*);

static double a[N * N], b[N * N], c[N * N];

int main(int argc, char** argv)
{
   const int n = N;
   const double one = 1, half = 0.5;
   for (int i = 0; i < N * N; i++)
      a[i] = i % 13, b[i] = i % 17;
   for (long i = argc == 2 ? atol(argv[1]) : 0; i > 0; i--)
      dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &half, c, &n);
   printf("%g\n", c[N]);
   return 0;
}
