/* Floating point: a product of matrices and the bodies of a solar system,
   few and long inner loops with hardly a call.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 96
#define BODIES 5

static double left[SIZE][SIZE], right[SIZE][SIZE], product[SIZE][SIZE];

struct Body {
   double place[3], speed[3], mass;
};

static void multiply(void)
{
   for (int i = 0; i < SIZE; i++)
      for (int j = 0; j < SIZE; j++) {
         double sum = 0;
         for (int k = 0; k < SIZE; k++)
            sum += left[i][k] * right[k][j];
         product[i][j] = sum;
      }
}

static void attract(struct Body* a, struct Body* b, double step)
{
   double apart[3], square = 0;
   for (int d = 0; d < 3; d++) {
      apart[d] = a->place[d] - b->place[d];
      square += apart[d] * apart[d];
   }
   double pull = step / (square * sqrt(square));
   for (int d = 0; d < 3; d++) {
      a->speed[d] -= apart[d] * b->mass * pull;
      b->speed[d] += apart[d] * a->mass * pull;
   }
}

static void advance(struct Body* bodies, double step)
{
   for (int i = 0; i < BODIES; i++)
      for (int j = i + 1; j < BODIES; j++)
         attract(&bodies[i], &bodies[j], step);
   for (int i = 0; i < BODIES; i++)
      for (int d = 0; d < 3; d++)
         bodies[i].place[d] += step * bodies[i].speed[d];
}

int main(int argc, char** argv)
{
   int rounds = argc > 1 ? atoi(argv[1]) : 1;
   struct Body bodies[BODIES];
   for (int i = 0; i < SIZE * SIZE; i++) {
      left[i / SIZE][i % SIZE] = i % 7 - 3;
      right[i / SIZE][i % SIZE] = i % 11 * 0.25;
   }
   for (int i = 0; i < BODIES; i++)
      bodies[i] = (struct Body){{3 * i, i % 2 * 5, i}, {0, i * 0.1, 0}, 1.0 / (1 + i)};
   double sum = 0;
   for (int round = 0; round < rounds; round++) {
      multiply();
      left[round % SIZE][3] += product[3][round % SIZE] * 1e-6;
      for (int i = 0; i < 2000; i++)
         advance(bodies, 0.001);
      sum += product[round % SIZE][5] + bodies[round % BODIES].place[0];
   }
   printf("%.9g\n", sum);
   return 0;
}
