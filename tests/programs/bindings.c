/* For tests/harnesses: the client requests that a script makes, as a library,
   and a statement to be measured, which calls single_step n times. */

#include "counted.h"
#include <valgrind/callgrind.h>

static volatile long state;

COUNTED static void single_step(void)
{
   state += 1;
}

void statement(long n)
{
   for (long i = 0; i < n; i++)
      single_step();
}

void toggle(void)
{
   CALLGRIND_TOGGLE_COLLECT;
}

void dump_stats(void)
{
   CALLGRIND_DUMP_STATS;
}
