/* Each function is called through a pointer: twice 5 times, thrice 7 times. One
   is defined in front of main, one behind, so that one of them is the first or
   the last that a list of functions has. */

#include "counted.h"

COUNTED int twice(int x)
{
   return 2 * x;
}

COUNTED int thrice(int x);

static int (*volatile doubled)(int) = twice, (*volatile tripled)(int) = thrice;

int main(void)
{
   int sum = 0;
   for (int i = 0; i < 5; i++)
      sum += doubled(i);
   for (int i = 0; i < 7; i++)
      sum += tripled(i);
   return sum == 83 ? 0 : 1;
}

COUNTED int thrice(int x)
{
   return 3 * x;
}
