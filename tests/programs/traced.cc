/* Calls of many kinds, in several threads. */
#include "traced.h"

extern "C" {
KEPT int leaf(int n)
{
   return n + 1;
}

KEPT int odd(int n);

KEPT int even(int n)
{
   return n == 0 ? leaf(n) : odd(n - 1);
}

KEPT int odd(int n)
{
   return n == 0 ? leaf(n) : even(n - 1);
}

KEPT int fib(int n)
{
   return n < 2 ? leaf(n) : fib(n - 1) + fib(n - 2);
}

/* Calls one of three, which call it. */
KEPT int wander(unsigned seed, int depth);

KEPT int left(unsigned seed, int depth)
{
   return wander(seed * 5 + 1, depth) + wander(seed * 3 + 2, depth);
}

KEPT int right(unsigned seed, int depth)
{
   return wander(seed * 7 + 3, depth) + leaf(depth);
}

KEPT int around(unsigned seed, int depth)
{
   int sum = leaf(depth);
   for (unsigned i = 0; i < seed % 4; i++)
      sum += wander(seed + i, depth);
   return sum;
}

KEPT int wander(unsigned seed, int depth)
{
   static int (*const ways[])(unsigned, int) = {left, right, around};
   return depth == 0 ? leaf(depth) : ways[seed / 5 % 3](seed, depth - 1);
}

KEPT void fail(int n)
{
   if (leaf(n) % 3 == 0) throw n;
}

KEPT void descend(int n)
{
   if (n > 0) descend(n - 1);
   fail(n);
}

KEPT int rescue(int n)
{
   try {
      descend(n);
   } catch (int failed) {
      return leaf(failed);
   }
   return 0;
}

KEPT void* work(void* argument)
{
   int n = *(int*)argument;
   wander(n, 6);
   rescue(n);
   return argument;
}

/* All threads are there before one ends, so that each has a number of its own
 * for Valgrind. */
static pthread_barrier_t all_are_there;

static SILENT void* start(void* argument)
{
   number = *(int*)argument;
   pthread_barrier_wait(&all_are_there);
   return work(argument);
}

KEPT int all(void)
{
   int sum = even(7) + fib(6) + leaf(0);
   for (int i = 0; i < 5; i++)
      sum += wander(i * 11, 5) + rescue(i);
   return sum;
}
}

SILENT int main()
{
   static int numbers[] = {1, 2, 3};
   pthread_t threads[3];
   pthread_barrier_init(&all_are_there, nullptr, 3);
   for (int i = 0; i < 3; i++)
      pthread_create(&threads[i], nullptr, start, &numbers[i]);
   for (pthread_t thread : threads)
      pthread_join(thread, nullptr);
   all();
   return 0;
}
