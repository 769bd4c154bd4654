/* Calls through the procedure linkage table, into libplt: main -> lib_twice 6
   times, lib_twice -> lib_once 2 each (within the library, but through its own
   PLT), main -> lib_back 3 times, lib_back -> back in the program once each
   (through the library's PLT), and main -> lib_pointer through a pointer 4
   times and by name 5 times. */

#include "counted.h"

long lib_twice(long);
long lib_back(long);
long lib_pointer(long);

__attribute__((visibility("default"))) COUNTED long back(long x)
{
   return x + 100;
}

COUNTED long call(long (*function)(long), long x)
{
   return function(x) + 1;
}

int main(void)
{
   long sum = 0;
   for (int i = 0; i < 6; i++)
      sum += lib_twice(i);
   for (int i = 0; i < 3; i++)
      sum += lib_back(i);
   for (int i = 0; i < 4; i++)
      sum += call(lib_pointer, i);
   for (int i = 0; i < 5; i++)
      sum += lib_pointer(i);
   return sum == 45 + 309 + 4 * 8 + 6 + 5 * 7 + 10 ? 0 : 1;
}
