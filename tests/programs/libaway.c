/* The library of away.c. */

#include "counted.h"

COUNTED long lib_near(long x)
{
   return x + 1;
}

COUNTED long lib_call(long (*function)(long), long x)
{
   return function(lib_near(x)) + 1;
}
