/* What lies where, and which lines get into each other's way in a cache of one
 * way of a page. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PAGE = 4096, ROUNDS = 1000 };

static volatile char one[64] __attribute__((aligned(4096)));
static volatile char gap[PAGE] __attribute__((aligned(4096)));
static volatile char other[64] __attribute__((aligned(4096)));
static volatile char both[2 * PAGE] __attribute__((aligned(4096)));

/* Two variables have a line each, in sets that are the same where they lie. */
__attribute__((noinline)) static int take_turns(void)
{
   int sum = 0;
   for (int i = 0; i < ROUNDS; i++) {
      sum += one[0];
      sum += other[0];
   }
   return sum;
}

/* Two lines of one variable, which share a set wherever it lies. */
__attribute__((noinline)) static int take_turns_within(void)
{
   int sum = 0;
   for (int i = 0; i < ROUNDS; i++) {
      sum += both[0];
      sum += both[PAGE];
   }
   return sum;
}

int main(void)
{
   gap[0] = 1;
   int sum = take_turns() + take_turns_within();
   printf("%p\n", malloc(40));
   return sum;
}
