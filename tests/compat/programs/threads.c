/* Threads that run one after the other, some started by another thread.
   Each recurses and calls what the others call.

   Every run is the same: whoever starts a thread waits in read() until it
   has done its work. The thread says so by the last call that it makes, which
   writes more than a pipe takes, and so waits for the end of the program.
   It must not end: pthread_join retries its futex once more or less, and
   Callgrind gives a new thread the leftover call stack of an ended one
   whose number it gets.  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WORKERS 6
#define TOO_MUCH (1 << 21) /* bytes: pipe(7) allows at most 1 MiB */

struct Task {
   int number;
   int helpers; /* workers still to be started by this one */
   int done;    /* where to report it: the writing side of a pipe */
   long result;
};

static long ackermann(long m, long n)
{
   if (m == 0)
      return n + 1;
   if (n == 0)
      return ackermann(m - 1, 1);
   return ackermann(m - 1, ackermann(m, n - 1));
}

static int by_value(const void* a, const void* b)
{
   return *(const int*)a - *(const int*)b;
}

static long sorted_sum(int seed)
{
   int values[200];
   for (int i = 0; i < 200; i++)
      values[i] = (i * 7919 + seed * 104729) % 1009;
   qsort(values, 200, sizeof values[0], by_value);
   long sum = 0;
   for (int i = 0; i < 200; i += 2)
      sum += values[i];
   return sum;
}

static void* work(void* argument);

static long run(struct Task* task)
{
   pthread_t thread;
   int ends[2];
   char byte;
   if (pipe(ends) != 0)
      exit(1);
   task->done = ends[1];
   if (pthread_create(&thread, NULL, work, task) != 0)
      exit(1);
   if (read(ends[0], &byte, 1) != 1)
      exit(1);
   return task->result;
}

static void* work(void* argument)
{
   static const char bytes[TOO_MUCH];
   struct Task* task = argument;
   task->result = ackermann(2, task->number) + sorted_sum(task->number);
   if (task->helpers > 0) {
      struct Task helper = {task->number + 10, task->helpers - 1, 0, 0};
      task->result += run(&helper);
   }
   write(task->done, bytes, TOO_MUCH);
   exit(1);
}

int main(void)
{
   long sum = 0;
   for (int i = 0; i < WORKERS; i++) {
      struct Task task = {i, i % 3, 0, 0};
      sum += run(&task);
   }
   printf("%ld\n", sum);
   return 0;
}
