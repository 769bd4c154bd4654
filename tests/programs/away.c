/* 20,000 times a call of its library, which calls itself through its own PLT,
   and the program through a pointer: two computed jumps between the program and
   the library each time. */

#include "counted.h"

long lib_call(long (*function)(long), long x);

COUNTED long back(long x)
{
   return x + 100;
}

COUNTED long rounds(long n)
{
   long sum = 0;
   for (long i = 0; i < n; i++)
      sum = lib_call(back, sum);
   return sum;
}

int main(void)
{
   return rounds(20000) == 20000 * 102 ? 0 : 1;
}
