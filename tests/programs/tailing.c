/* Tail calls through stubs, at -O2: lib_tail (by main, 6 times) and again (by
   lib_twice, 4 times) jump to the stub of back; lib_twice (by main, 4 times)
   calls it. */

#include "counted.h"

long lib_tail(long);
long lib_twice(long);

__attribute__((visibility("default"))) COUNTED long back(long x)
{
   return x + 100;
}

int main(void)
{
   long sum = 0;
   for (int i = 0; i < 6; i++)
      sum += lib_tail(i);
   for (int i = 0; i < 4; i++)
      sum += lib_twice(i);
   return sum == 615 + 816 ? 0 : 1;
}
