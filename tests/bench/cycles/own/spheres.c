/* Rays through a pixel each: the nearest of 12 spheres, and its light. */
#include "bench.h"
#include <math.h>
enum { SPHERES = 12, SIDE = 64 };
static struct sphere {
   double x, y, z, radius;
} spheres[SPHERES];
static double image[SIDE][SIDE];

void setup(void) {}

void prepare(void)
{
   for (int i = 0; i < SPHERES; i++)
      spheres[i] = (struct sphere){
         (double)(rnd() % 200) / 100 - 1, (double)(rnd() % 200) / 100 - 1,
         3 + (double)(rnd() % 300) / 100, 0.2 + (double)(rnd() % 50) / 100};
}

static double light(double dx, double dy)
{
   double scale = 1 / sqrt(dx * dx + dy * dy + 1), nearest = 1e9, bright = 0;
   dx *= scale, dy *= scale;
   for (int i = 0; i < SPHERES; i++) {
      const struct sphere* s = &spheres[i];
      double along = s->x * dx + s->y * dy + s->z * scale;
      double away = s->x * s->x + s->y * s->y + s->z * s->z - along * along;
      double left = s->radius * s->radius - away;
      if (left < 0) continue;
      double t = along - sqrt(left);
      if (t < nearest) {
         nearest = t;
         bright = (s->y - dy * t) / s->radius;
      }
   }
   return bright;
}

void bench(void)
{
   for (int i = 0; i < SIDE; i++)
      for (int j = 0; j < SIDE; j++)
         image[i][j] = light((i - SIDE / 2) / 48.0, (j - SIDE / 2) / 48.0);
   KEEP(image);
}
