/* A queue of events by time, as a binary heap: the first goes, a later one
 * comes. */
#include "bench.h"
enum { EVENTS = 1000, STEPS = 12000 };
static uint64_t heap[EVENTS + 1];
static int used;

static void push(uint64_t when)
{
   int at = ++used;
   while (at > 1 && heap[at / 2] > when) {
      heap[at] = heap[at / 2];
      at /= 2;
   }
   heap[at] = when;
}

static uint64_t pop(void)
{
   uint64_t first = heap[1], last = heap[used--];
   int at = 1;
   while (2 * at <= used) {
      int child = 2 * at;
      if (child < used && heap[child + 1] < heap[child]) child++;
      if (heap[child] >= last) break;
      heap[at] = heap[child];
      at = child;
   }
   heap[at] = last;
   return first;
}

void setup(void)
{
   while (used < EVENTS - 1)
      push(rnd() % 100000);
}

void bench(void)
{
   for (int i = 0; i < STEPS; i++)
      push(pop() + 1 + rnd() % 100000);
   KEEP(heap);
}
