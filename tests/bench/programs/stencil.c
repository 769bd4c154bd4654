/* A stencil of doubles: each of 512 x 512 points becomes the mean of its four
 * neighbours. */
#include <stdio.h>
#include <stdlib.h>
enum { N = 512 };
static double a[N + 2][N + 2], b[N + 2][N + 2];
int main(int argc, char** argv)
{
   int rounds = argc > 1 ? atoi(argv[1]) : 400;
   for (int i = 0; i < N + 2; i++)
      for (int j = 0; j < N + 2; j++)
         a[i][j] = (i * 31 + j * 17) % 101;
   for (int round = 0; round < rounds; round++) {
      for (int i = 1; i <= N; i++)
         for (int j = 1; j <= N; j++)
            b[i][j] =
               (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
      for (int i = 1; i <= N; i++)
         for (int j = 1; j <= N; j++)
            a[i][j] = b[i][j];
   }
   printf("%f\n", a[N / 2][N / 2]);
}
