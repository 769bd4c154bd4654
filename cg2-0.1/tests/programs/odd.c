/* Calls the functions of odd.S, and `settle` after each call: where_am_i 4
   times, call_pops_two 5 times, by_return 6 times, between 3 times,
   call_leaves_words 7 times. */

#include "counted.h"

long where_am_i(void);
long call_pops_two(void);
long by_return(void);
long between(void);
long call_leaves_words(void);

static volatile long state;

COUNTED void settle(void)
{
   state++;
}

int main(void)
{
   long sum = 0;
   for (int i = 0; i < 4; i++) {
      sum += where_am_i();
      settle();
   }
   for (int i = 0; i < 5; i++) {
      sum += call_pops_two();
      settle();
   }
   for (int i = 0; i < 6; i++) {
      sum += by_return();
      settle();
   }
   for (int i = 0; i < 3; i++) {
      sum += between();
      settle();
   }
   for (int i = 0; i < 7; i++) {
      sum += call_leaves_words();
      settle();
   }
   return sum == 5 * 7 + 6 * 2 + 3 * 4 + 7 * 6 && state == 25 ? 0 : 1;
}
