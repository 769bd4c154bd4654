/* Plain calls: main calls branch 7 times, branch calls leaf 3 times, main calls
   leaf and nothing once, and never not at all. */

#include "counted.h"

COUNTED long leaf(long x)
{
   return 3 * x + 1;
}

COUNTED long branch(long x)
{
   long sum = 0;
   for (long i = 0; i < 3; i++)
      sum += leaf(x + i);
   return sum;
}

COUNTED void nothing(void) {}

COUNTED void never(void)
{
   leaf(1);
}

int main(int argc, char** argv)
{
   (void)argv;
   long sum = 0;
   for (long i = 0; i < 7; i++)
      sum += branch(i);
   sum += leaf(sum);
   nothing();
   if (argc > 1) never();
   return sum == 273 * 4 + 1 + 0 ? 0 : 1;
}
