/* Counting goes off and on behind a dump or, with an argument, a zero: calls work 1000 times before it, 5
   times while it is off, and 7 times after it. */

#include "counted.h"

#include <valgrind/callgrind.h>

static volatile int n;

COUNTED static void work(void)
{
   n++;
}

COUNTED static void works(int times)
{
   for (int i = 0; i < times; i++)
      work();
}

int main(int argc, char** argv)
{
   (void)argv;
   works(1000);
   if (argc > 1)
      CALLGRIND_ZERO_STATS;
   else
      CALLGRIND_DUMP_STATS;
   CALLGRIND_STOP_INSTRUMENTATION;
   works(5);
   CALLGRIND_START_INSTRUMENTATION;
   works(7);
   return n == 1012 ? 0 : 1;
}
