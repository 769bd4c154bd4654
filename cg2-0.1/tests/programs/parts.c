/* What parts are cut at: main calls region(n) for n = 1, 2, 3, which calls leaf
   n times, and after each of them between once; then nest(3), which calls leaf
   and itself, 4 levels in all; then finish. */

#include "counted.h"

static volatile long state;

COUNTED void leaf(void)
{
   state++;
}

COUNTED void region(long n)
{
   for (long i = 0; i < n; i++)
      leaf();
}

COUNTED void between(void)
{
   state++;
}

COUNTED long nest(long n)
{
   leaf();
   long deeper = n == 0 ? 0 : nest(n - 1);
   return deeper + 1;
}

COUNTED void finish(void)
{
   state++;
}

int main(void)
{
   for (long n = 1; n <= 3; n++) {
      region(n);
      between();
   }
   long levels = nest(3);
   finish();
   return state == 6 + 3 + 4 + 1 && levels == 4 ? 0 : 1;
}
