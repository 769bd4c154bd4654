/* Functions that run more and less often: often 40,000 times, seldom 400,
   rarely 3 times, never not at all. `copied` is only put into main, 40,000
   times; its own code, which other files might call, does not run. */

#include "counted.h"

COUNTED int often(int x)
{
   return x + 1;
}

COUNTED int seldom(int x)
{
   return x + 2;
}

COUNTED int rarely(int x)
{
   return x + 3;
}

COUNTED int never(int x)
{
   return x + 4;
}

int copied(int x)
{
   return x ^ 5;
}

int main(int argc, char** argv)
{
   (void)argv;
   int sum = 0;
   for (int i = 0; i < 40000; i++) {
      sum = copied(often(sum));
      if (i % 100 == 0) sum = seldom(sum);
      if (i % 15000 == 0) sum = rarely(sum);
   }
   return argc > 1 ? never(sum) : 0;
}
