/* The library of plt.c. */

#include "counted.h"

long back(long);

COUNTED long lib_once(long x)
{
   return x + 1;
}

COUNTED long lib_twice(long x)
{
   return lib_once(x) + lib_once(0) + 3;
}

COUNTED long lib_back(long x)
{
   return back(x) + 2;
}

COUNTED long lib_pointer(long x)
{
   return x + 7;
}
