/* nest calls itself, as many levels as the argument says, and switches
   instrumentation on in the innermost one, which then calls leaf five times. */

#include "counted.h"
#include <stdlib.h>
#include <valgrind/callgrind.h>

static volatile int n;

COUNTED void leaf(void)
{
   n++;
}

COUNTED void nest(int depth)
{
   if (depth > 1) {
      nest(depth - 1);
   } else {
      CALLGRIND_START_INSTRUMENTATION;
      for (int i = 0; i < 5; i++)
         leaf();
   }
   n++;
}

int main(int argc, char** argv)
{
   if (argc != 2) return 2;
   nest(atoi(argv[1]));
   return 0;
}
