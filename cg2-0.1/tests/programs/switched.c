/* Switches instrumentation on in the middle of calls, off, and on again, by requests of callgrind.h. */

#include "counted.h"

#include <valgrind/callgrind.h>

static volatile int n;

COUNTED static void leaf(void)
{
   n++;
}

/* Two calls before it goes on, five after. */
COUNTED static void starter(void)
{
   for (int i = 0; i < 2; i++)
      leaf();
   CALLGRIND_START_INSTRUMENTATION;
   for (int i = 0; i < 5; i++)
      leaf();
   n++;
}

COUNTED static void nest(int depth)
{
   if (depth)
      nest(depth - 1);
   else
      starter();
   n++;
}

COUNTED static void again(void)
{
   leaf();
   leaf();
   leaf();
   n++;
}

int main(void)
{
   nest(2);
   again();
   CALLGRIND_STOP_INSTRUMENTATION;
   again();
   CALLGRIND_START_INSTRUMENTATION;
   again();
   return 0;
}
