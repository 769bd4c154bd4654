/* A function with a cold half: at -O2, gcc puts the branch that calls the cold
   function into `work.cold`, far away in .text.unlikely. main calls work 10
   times; 2 times the cold half runs and calls rare 2 times; common is called by
   work each time, from the hot half. */

#include "counted.h"

static volatile long state;

__attribute__((cold)) COUNTED void rare(long x)
{
   state += x;
}

COUNTED long common(long x)
{
   return x + 1;
}

COUNTED long work(long x)
{
   long y = x * 3;
   if (x % 5 == 4) {
      rare(y);
      state ^= 0x55;
      rare(y + 1);
      y += state & 1;
   }
   return common(y) + 2;
}

int main(void)
{
   long sum = 0;
   for (long i = 0; i < 10; i++)
      sum += work(i);
   return sum >= 165 ? 0 : 1;
}
