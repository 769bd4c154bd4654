/* Walks through 100,000 bytes in steps of a line: once, once while nothing is
   instrumented, and twice after that. */

#include "counted.h"
#include <valgrind/callgrind.h>

enum { BYTES = 100 * 1000, LINE = 64 };

static volatile char bytes[BYTES];

COUNTED long walk(void)
{
   long sum = 0;
   for (int i = 0; i < BYTES; i += LINE)
      sum += bytes[i];
   return sum;
}

int main(void)
{
   walk();
   CALLGRIND_STOP_INSTRUMENTATION;
   walk();
   CALLGRIND_START_INSTRUMENTATION;
   walk();
   walk();
   return 0;
}
