/* Two phases: the first has many paths of calls, the second nearly all of the
 * cost. */
#include <stdio.h>

static volatile long sum;

#define LEAF(i)                                                                \
   __attribute__((noinline)) static void leaf##i(long n)                       \
   {                                                                           \
      for (long j = 0; j < n; j++)                                             \
         sum += j * (i + 3) ^ i;                                               \
   }
LEAF(0)
LEAF(1)
LEAF(2)
LEAF(3)

/* 4 * 4 * 4 * 4 paths, and each function that calls is one of two that call
 * each other. */
__attribute__((noinline)) static void odd(int depth, long n);
__attribute__((noinline)) static void even(int depth, long n)
{
   if (!depth) return leaf0(n);
   odd(depth - 1, n), odd(depth - 1, n), odd(depth - 1, n), odd(depth - 1, n);
   sum++;
}
static void odd(int depth, long n)
{
   if (!depth) return leaf1(n);
   even(depth - 1, n), even(depth - 1, n), even(depth - 1, n),
      even(depth - 1, n);
   sum++;
}

__attribute__((noinline)) static void parse(void)
{
   even(4, 1);
   sum++;
}
__attribute__((noinline)) static void optimise(void)
{
   leaf2(300000);
   leaf3(50000);
   sum++;
}

int main(void)
{
   parse();
   optimise();
   parse();
   printf("%ld\n", sum);
   return 0;
}
