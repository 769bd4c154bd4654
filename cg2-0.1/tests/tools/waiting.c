/* Two threads that wait at known depths until they are killed. */

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile long count;

__attribute__((noinline)) void leaf(void)
{
   count++;
}

__attribute__((noinline)) void deep(int depth)
{
   if (depth > 0)
      deep(depth - 1);
   for (;;)
      pause();
}

__attribute__((noinline)) void* work(void* unused)
{
   for (int i = 0; i < 1234; i++)
      leaf();
   deep(2);
   return unused;
}

int main(void)
{
   pthread_t thread;
   pthread_create(&thread, NULL, work, NULL);
   puts("waiting");
   fflush(stdout);
   deep(0);
   return 0;
}
