/* Phases, and reading a counter: the requests that only cg2 has.

   start calls step 2 times before the first phase, "load" has 3 calls of step,
   "work" 4. Then main reads Ir, calls exactly() and reads it again; it prints
   what the two readings differ by, what the same is without exactly, and
   whether an event that there is not could be read. */

#include "../../cg2/cg2.h"
#include "counted.h"
#include <stdio.h>

static volatile long state;

COUNTED void step(void)
{
   state++;
}

COUNTED void steps(int n)
{
   for (int i = 0; i < n; i++)
      step();
}

COUNTED void exactly(void)
{
   state++;
   state++;
}

COUNTED void nothing(void)
{
   __asm__("");
}

COUNTED unsigned long long cost_of(void (*what)(void))
{
   unsigned long long before = 0, after = 0;
   CG2_READ_EVENT("Ir", &before);
   what();
   CG2_READ_EVENT("Ir", &after);
   return after - before;
}

int main(void)
{
   steps(2);
   CG2_PHASE("load");
   steps(3);
   CG2_PHASE("work");
   steps(4);
   unsigned long long value = 99;
   int known = CG2_READ_EVENT("NoSuch", &value);
   printf("%llu %llu %d %llu\n", cost_of(exactly), cost_of(nothing), known,
          value);
   return 0;
}
