/* N threads (the argument, 1 to 8): thread t calls work 100 * (t + 1) times;
   work calls step 3 times; each thread calls `deep`, which recurses t + 2
   levels, once. main calls join_all once, and before_threads 5 times. No thread
   ends before all have begun, so that each has a number of its own. */

#include "counted.h"
#include <pthread.h>
#include <stdlib.h>

#define MOST 8

static pthread_t threads[MOST];
static pthread_mutex_t beginning = PTHREAD_MUTEX_INITIALIZER;

COUNTED long step(long x)
{
   return x * 3 + 1;
}

COUNTED long work(long x)
{
   return step(x) + step(x + 1) + step(x + 2);
}

COUNTED long deep(long levels)
{
   return levels == 0 ? 1 : deep(levels - 1) + 1;
}

COUNTED void* body(void* argument)
{
   long t = (long)argument;
   long sum = 0;
   for (long i = 0; i < 100 * (t + 1); i++) {
      sum += work(i);
      if (i % 50 == 0) sched_yield();
   }
   sum += deep(t + 2);
   pthread_mutex_lock(&beginning);
   pthread_mutex_unlock(&beginning);
   return (void*)sum;
}

COUNTED void before_threads(void) {}

COUNTED long join_all(int n)
{
   long sum = 0;
   for (int t = 0; t < n; t++) {
      void* result;
      pthread_join(threads[t], &result);
      sum += (long)result;
   }
   return sum;
}

int main(int argc, char** argv)
{
   int n = argc > 1 ? atoi(argv[1]) : 1;
   if (n < 1 || n > MOST) return 2;
   for (int i = 0; i < 5; i++)
      before_threads();
   pthread_mutex_lock(&beginning);
   for (long t = 0; t < n; t++)
      if (pthread_create(&threads[t], 0, body, (void*)t) != 0) return 3;
   pthread_mutex_unlock(&beginning);
   return join_all(n) > 0 ? 0 : 1;
}
