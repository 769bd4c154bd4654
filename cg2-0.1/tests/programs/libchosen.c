/* A library whose function lib_chosen is chosen when the program starts
   (ifunc): calls of it go through the PLT, to a function that has no symbol
   once the library is stripped. lib_calls calls it, at -O2 lib_tails jumps to
   it. */

#include "counted.h"

static __attribute__((noipa, used)) long implementation(long x)
{
   return x + 5;
}

static long (*choose(void))(long)
{
   return implementation;
}

long lib_chosen(long) __attribute__((ifunc("choose")));

COUNTED long lib_calls(long x)
{
   return lib_chosen(x) + 1;
}

COUNTED long lib_tails(long x)
{
   return lib_chosen(x);
}
