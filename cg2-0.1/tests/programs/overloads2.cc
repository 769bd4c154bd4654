/* The functions of overloads.cc that its own file hides, once more. */
#include "overloads.h"

namespace
{
NOINLINE void hidden(void)
{
   n += 2;
   n++;
}
} // namespace

static NOINLINE void local(int x)
{
   n -= x;
}

/* Not the f(int) of overloads.cc. */
static NOINLINE void f(int x)
{
   n -= x;
}

NOINLINE void others()
{
   hidden();
   hidden();
   local(1);
   local(1);
   local(1);
   f(1);
}
