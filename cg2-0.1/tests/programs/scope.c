/* Signals to a thread, while another one is inside a region and while it is
   not: main starts a thread that waits, and calls outside, region, and outside;
   each of them sends it SIGUSR1, whose handler calls handled 3 times, and waits
   until that is done. */

#include "counted.h"
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static volatile long state;
static pthread_t thread;
static sem_t is_handled, may_end;

COUNTED void handled(void)
{
   state++;
}

COUNTED void on_usr1(int signal)
{
   (void)signal;
   for (int i = 0; i < 3; i++)
      handled();
   sem_post(&is_handled);
}

COUNTED void* worker(void* unused)
{
   while (sem_wait(&may_end) != 0)
      ;
   return unused;
}

COUNTED void interrupt(void)
{
   pthread_kill(thread, SIGUSR1);
   while (sem_wait(&is_handled) != 0)
      ;
}

COUNTED void region(void)
{
   interrupt();
}

COUNTED void outside(void)
{
   interrupt();
}

int main(void)
{
   sem_init(&is_handled, 0, 0);
   sem_init(&may_end, 0, 0);
   signal(SIGUSR1, on_usr1);
   pthread_create(&thread, 0, worker, 0);
   outside();
   region();
   outside();
   sem_post(&may_end);
   pthread_join(thread, 0);
   return state == 9 ? 0 : 1;
}
