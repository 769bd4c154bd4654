/* The program of libchosen: calls lib_tails 7 times, lib_calls 5 times, and
   lib_chosen itself 3 times, from `direct`. */

#include "counted.h"

long lib_chosen(long);
long lib_calls(long);
long lib_tails(long);

COUNTED long direct(long x)
{
   return lib_chosen(x) + 1;
}

int main(void)
{
   long sum = 0;
   for (int i = 0; i < 7; i++)
      sum += lib_tails(0);
   for (int i = 0; i < 5; i++)
      sum += lib_calls(0);
   for (int i = 0; i < 3; i++)
      sum += direct(0);
   return sum == 30 + 35 + 18 ? 0 : 1;
}
