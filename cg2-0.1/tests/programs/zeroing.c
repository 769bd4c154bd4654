/* Two threads in calls while one asks for zero: the thread calls work 500
   times and waits; main, meanwhile in its call of region, zeroes all counts and
   lets it go on for 20 more; main itself calls work 3 times after that. */

#include "counted.h"
#include <pthread.h>
#include <valgrind/callgrind.h>

static volatile long state;
static pthread_barrier_t ready, go;

COUNTED void work(void)
{
   state++;
}

COUNTED void works(int n)
{
   for (int i = 0; i < n; i++)
      work();
}

COUNTED void* worker(void* unused)
{
   works(500);
   pthread_barrier_wait(&ready);
   pthread_barrier_wait(&go);
   works(20);
   return unused;
}

COUNTED void region(void)
{
   pthread_barrier_wait(&ready);
   CALLGRIND_ZERO_STATS;
   pthread_barrier_wait(&go);
   works(3);
}

int main(void)
{
   pthread_t thread;
   pthread_barrier_init(&ready, 0, 2);
   pthread_barrier_init(&go, 0, 2);
   pthread_create(&thread, 0, worker, 0);
   region();
   pthread_join(thread, 0);
   return state == 523 ? 0 : 1;
}
