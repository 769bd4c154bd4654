/* Functions of one name: overloads, instances of a template, and functions that
 * only their own file sees. overloads2.cc has others of the same names. */
#include "overloads.h"

namespace
{
NOINLINE void hidden(void)
{
   n++;
}
} // namespace

static NOINLINE void local(int x)
{
   n += x;
}

NOINLINE void f(int x)
{
   n += x;
}

NOINLINE void f(long x)
{
   n += x;
   n++;
}

template <class T> NOINLINE void g(T x)
{
   n += x;
}

struct Shape {
   NOINLINE Shape() { n++; }
   NOINLINE virtual ~Shape() { n--; }
};

struct Round : virtual Shape {
   NOINLINE Round() { n++; }
   NOINLINE ~Round() { n--; }
};

struct Ball : Round {
   NOINLINE Ball() { n++; }
   NOINLINE ~Ball() { n--; }
};

volatile int n;

int main()
{
   for (int i = 0; i < 3; i++)
      f(1);
   for (int i = 0; i < 5; i++)
      f(1L);
   for (int i = 0; i < 7; i++)
      g<int>(1);
   for (int i = 0; i < 11; i++)
      g<long>(1);
   for (int i = 0; i < 13; i++)
      hidden();
   for (int i = 0; i < 17; i++)
      local(1);
   for (int i = 0; i < 19; i++)
      others();
   Round round;     /* complete constructor and destructor */
   delete new Ball; /* deleting and base ones */
   return 0;
}
