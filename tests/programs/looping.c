/* Two threads that call nothing any more: main, and one in three calls of deep. Both loop until killed. */

#include "counted.h"

#include <pthread.h>
#include <stdio.h>

static volatile int n;
static volatile int is_inside;

static inline __attribute__((always_inline)) void loop(void)
{
   for (;;)
      n++;
}

COUNTED static void deep(int left)
{
   if (left)
      deep(left - 1);
   else {
      is_inside = 1;
      loop();
   }
   n++;
}

COUNTED static void* thread(void* unused)
{
   deep(2);
   return unused;
}

int main(void)
{
   pthread_t other;
   pthread_create(&other, NULL, thread, NULL);
   while (!is_inside)
      ;
   puts("looping");
   fflush(stdout);
   loop();
}
