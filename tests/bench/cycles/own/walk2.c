/* Objects of 192 bytes that fit into the second level, two fields of each, in
 * the order of a list. */
#include "bench.h"
enum { N = 2600, WALKS = 12 };
static struct object {
   struct object* next;
   uint64_t weight;
   char name[120];
   uint64_t value;
   char rest[48];
} * objects;

void setup(void)
{
   uint32_t* order = malloc(N * sizeof *order);
   objects = big(N * sizeof *objects);
   shuffle(order, N);
   for (int i = 0; i < N; i++) {
      struct object* o = &objects[order[i]];
      o->next = i + 1 < N ? &objects[order[i + 1]] : NULL;
      o->weight = rnd() % 100;
      o->value = rnd() % 100;
   }
   objects = &objects[order[0]];
   free(order);
}

void bench(void)
{
   uint64_t sum = 0;
   for (int i = 0; i < WALKS; i++)
      for (const struct object* o = objects; o; o = o->next)
         sum += o->weight * o->value;
   KEEP(sum);
}
