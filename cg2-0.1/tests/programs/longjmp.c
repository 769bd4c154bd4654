/* longjmp over several frames.

   - catcher, called 3 times, calls setjmp and down(4), which calls itself 4
     times and then thrower, which jumps: 6 frames are left at once. After it
     catcher calls after once, and main calls between once.
   - near, called once, calls after and thrower 5 times, which jumps over no
     frame but its own; then main calls between. */

#include "counted.h"
#include <setjmp.h>

static jmp_buf place;
static volatile long state;

COUNTED void thrower(int value)
{
   state++;
   longjmp(place, value);
}

COUNTED long down(long n)
{
   if (n == 0) {
      thrower(3);
      return 0; // never reached
   }
   long below = down(n - 1);
   state += below;
   return below + 1;
}

COUNTED void after(void)
{
   state++;
}

COUNTED void between(void)
{
   state++;
}

COUNTED long catcher(void)
{
   volatile long result = 0;
   int value = setjmp(place);
   if (value == 0)
      result = down(4);
   else
      result = value;
   after();
   return result;
}

COUNTED long near(void)
{
   volatile long rounds = 0;
   if (setjmp(place) < 5) {
      rounds++;
      after();
      thrower((int)rounds);
   }
   return rounds;
}

int main(void)
{
   long sum = 0;
   for (int i = 0; i < 3; i++) {
      sum += catcher();
      between();
   }
   sum += near();
   between();
   return sum == 9 + 5 && state == 3 + 3 + 3 + 5 + 5 + 1 ? 0 : 1;
}
