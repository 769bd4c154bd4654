/* A function of some hundred accesses to memory, whose translations are
   discarded each time before it is called: as often as the argument says. */

#include "counted.h"
#include <stdio.h>
#include <stdlib.h>
#include <valgrind/valgrind.h>

#define FOUR(statement) statement statement statement statement

static volatile int words[64];

COUNTED int reads(int n)
{
   FOUR(FOUR(FOUR(if (words[n & 63]) n++; words[(n + 7) & 63] = 0;)))
   return n;
}

int main(int argc, char** argv)
{
   int sum = 0;
   for (int i = 0; i < atoi(argv[argc - 1]); i++) {
      sum += reads(i);
      VALGRIND_DISCARD_TRANSLATIONS((char*)reads, 8192);
   }
   printf("%d\n", sum);
   return 0;
}
