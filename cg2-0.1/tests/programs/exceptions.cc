// C++ exceptions.
//
// - catcher, called 3 times, calls level(3), which calls itself 3 times and
//   then thrower; the exception passes 4 frames of level, and each destroys a
//   Guard on the way: 12 destructors. Then catcher calls after once.
// - rethrower, called 2 times by catcher_of_rethrown, catches what thrower
//   throws, calls after, and throws it again.
// - quiet, called 3 times: no exception, a Guard each.
//
// main calls between 4 times.

#include "counted.h"
#include <stdexcept>

static volatile long state;

struct Guard {
   long n;
   explicit Guard(long n) : n(n) {}
   COUNTED ~Guard() { state = state + n; }
};

COUNTED void thrower(long n)
{
   state = state + 1;
   throw std::runtime_error(n == 0 ? "bottom" : "other");
}

COUNTED void level(long n)
{
   Guard guard(1);
   if (n == 0)
      thrower(n);
   else
      level(n - 1);
   state = state + 1000; // never reached
}

COUNTED void after()
{
   state = state + 1;
}

COUNTED long catcher()
{
   long caught = 0;
   try {
      level(3);
   } catch (const std::exception&) {
      caught = 1;
   }
   after();
   return caught;
}

COUNTED void rethrower()
{
   try {
      thrower(1);
   } catch (const std::exception&) {
      after();
      throw;
   }
}

COUNTED long catcher_of_rethrown()
{
   long caught = 0;
   try {
      rethrower();
   } catch (const std::runtime_error&) {
      caught = 1;
   }
   after();
   return caught;
}

COUNTED void quiet()
{
   Guard guard(0);
   after();
}

COUNTED void between()
{
   state = state + 1;
}

int main()
{
   long caught = 0;
   for (int i = 0; i < 3; i++) {
      caught += catcher();
      between();
   }
   for (int i = 0; i < 2; i++)
      caught += catcher_of_rethrown();
   for (int i = 0; i < 3; i++)
      quiet();
   between();
   return caught == 5 && state == 3 + 12 + 3 + 3 + 2 + 2 + 2 + 3 + 1 ? 0 : 1;
}
