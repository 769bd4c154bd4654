/* The library of tailing.c. What it calls lies outside, or could: through its
   stubs. */

#include "counted.h"

long back(long);
long again(long);

COUNTED long lib_tail(long x)
{
   return back(x);
}

COUNTED long again(long x)
{
   return back(x + 1);
}

COUNTED long lib_twice(long x)
{
   return again(x) + back(x);
}
