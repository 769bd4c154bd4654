/* Threads and handlers inside and outside a region.

   main calls outside, then region, then outside. region creates a thread, which
   calls work 10 times, joins it, raises SIGUSR1, whose handler calls handled 3
   times, and calls work 5 times. outside calls work 2 times, and creates a
   thread that calls work 4 times. */

#include "counted.h"
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile long state;

COUNTED void work(void)
{
   state++;
}

COUNTED void handled(void)
{
   state++;
}

COUNTED void on_usr1(int signal)
{
   (void)signal;
   for (int i = 0; i < 3; i++)
      handled();
}

COUNTED void* worker(void* times)
{
   for (long i = 0; i < (long)times; i++)
      work();
   return 0;
}

COUNTED void in_thread(long times)
{
   pthread_t thread;
   pthread_create(&thread, 0, worker, (void*)times);
   pthread_join(thread, 0);
}

COUNTED void region(void)
{
   in_thread(10);
   kill(getpid(), SIGUSR1);
   for (int i = 0; i < 5; i++)
      work();
}

COUNTED void outside(void)
{
   work();
   in_thread(4);
   work();
}

int main(void)
{
   signal(SIGUSR1, on_usr1);
   outside();
   region();
   outside();
   return state == 6 + 18 + 6 ? 0 : 1;
}
