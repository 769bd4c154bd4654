/* The two libraries of dlopen.c: compiled with -DRED or without. */

#include "counted.h"

#ifdef RED

COUNTED static long inner_red(long x)
{
   return x + 11;
}

COUNTED long entry_red(long x)
{
   return inner_red(x);
}

#else

COUNTED static long inner_blue(long x)
{
   return x + 11;
}

COUNTED long entry_blue(long x)
{
   return inner_blue(x) + inner_blue(0);
}

#endif
