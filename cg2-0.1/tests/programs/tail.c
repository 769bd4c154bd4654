/* Calls in tail position: at -O2 they are jumps to another function's first
   instruction, and count as calls.

   - main -> first -> second -> third, 5 times
   - main -> second_or_third 5 times, -> second 3 times and -> third 2 times
   - through calls, by pointer, third 2 times and after once
   - countdown calls itself: at -O2 a loop, no call */

#include "counted.h"

COUNTED long third(long x)
{
   return x + 3;
}

COUNTED long second(long x)
{
   return third(x * 2);
}

COUNTED long first(long x)
{
   return second(x + 1);
}

COUNTED long second_or_third(long x)
{
   if (x % 2 == 0) return second(x);
   return third(x);
}

COUNTED long countdown(long x)
{
   OPAQUE(x);
   if (x == 0) return 7;
   return countdown(x - 1);
}

typedef long Step(long);

COUNTED long through(Step* step, long x)
{
   return step(x);
}

COUNTED long after(long x)
{
   return x - 1;
}

int main(void)
{
   long sum = 0;
   for (long i = 0; i < 5; i++) {
      sum += first(i);
      sum += second_or_third(i);
      sum = after(sum);
   }
   sum += countdown(4);
   sum += through(third, 1) + through(after, 1) + through(third, 2);
   return sum == 87 ? 0 : 1;
}
