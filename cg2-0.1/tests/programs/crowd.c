/* N threads (the first argument). With "together" as the second they are all
   alive at once: none calls `work` before the last one has been started, and
   none ends before the last one has called it; else each ends before the next
   one begins. Thread t (from 0) calls `work` t % 7 + 1 times. If a thread
   cannot be started, says so and how many there are, and exits with 3. */

#include "counted.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 1000

static pthread_t threads[MOST];
static pthread_barrier_t all_here, all_done;
static int together;
static volatile long state;

COUNTED void work(void)
{
   state++;
}

COUNTED void repeat(int times)
{
   for (int i = 0; i < times; i++)
      work();
}

COUNTED void* body(void* number)
{
   if (together) pthread_barrier_wait(&all_here);
   repeat((int)(long)number % 7 + 1);
   if (together) pthread_barrier_wait(&all_done);
   return NULL;
}

static void start(long number)
{
   pthread_attr_t small;
   pthread_attr_init(&small);
   pthread_attr_setstacksize(&small, 64 * 1024);
   int error = pthread_create(&threads[number], &small, body, (void*)number);
   if (error != 0) {
      printf("%ld threads: %s\n", number, strerror(error));
      fflush(stdout);
      _Exit(3);
   }
}

int main(int argc, char** argv)
{
   long n = argc > 1 ? atoi(argv[1]) : 1;
   if (n < 1 || n > MOST) return 2;
   together = argc > 2 && strcmp(argv[2], "together") == 0;
   pthread_barrier_init(&all_here, NULL, (unsigned)n);
   pthread_barrier_init(&all_done, NULL, (unsigned)n);
   for (long i = 0; i < n; i++) {
      start(i);
      if (!together) pthread_join(threads[i], NULL);
   }
   for (long i = 0; together && i < n; i++)
      pthread_join(threads[i], NULL);
   return 0;
}
