/* Distances on a globe: functions of libm, each of random arguments. */
#include "bench.h"
#include <math.h>
enum { N = 3000 };
static double latitude[N], longitude[N], distance[N];

void setup(void) {}

void prepare(void)
{
   for (int i = 0; i < N; i++) {
      latitude[i] = (double)(rnd() % 1000000) / 1e6 * 3.1 - 1.55;
      longitude[i] = (double)(rnd() % 1000000) / 1e6 * 6.2 - 3.1;
   }
}

void bench(void)
{
   for (int i = 0; i + 1 < N; i++) {
      double a = sin((latitude[i + 1] - latitude[i]) / 2);
      double b = sin((longitude[i + 1] - longitude[i]) / 2);
      double c = a * a + cos(latitude[i]) * cos(latitude[i + 1]) * b * b;
      distance[i] = atan2(sqrt(c), sqrt(1 - c));
   }
   KEEP(distance);
}
