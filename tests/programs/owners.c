/* Threads that wait for locks that have owners: one that is given on by
 * priority, and two that say that the owner has died. Prints what each was
 * told. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 4, TIMES = 50 };

static pthread_mutex_t lock;
static int n, answers[THREADS];

static void make(int is_given, int is_robust)
{
   pthread_mutexattr_t kind;
   pthread_mutexattr_init(&kind);
   if (is_given) pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
   if (is_robust) pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
   pthread_mutex_init(&lock, &kind);
}

static void* count(void* argument)
{
   int* answer = argument;
   for (int i = 0; i < TIMES; i++) {
      *answer |= pthread_mutex_lock(&lock);
      int was = n;
      usleep(10);
      n = was + 1;
      *answer |= pthread_mutex_unlock(&lock);
   }
   return NULL;
}

static void* die(void* argument)
{
   pthread_mutex_lock(&lock);
   usleep(1000);
   return argument;
}

static void show_given(void)
{
   pthread_t threads[THREADS];
   make(1, 0);
   for (int i = 0; i < THREADS; i++)
      pthread_create(&threads[i], NULL, count, &answers[i]);
   for (int i = 0; i < THREADS; i++)
      pthread_join(threads[i], NULL);
   printf("counted %d, answers %d %d %d %d\n", n, answers[0], answers[1],
          answers[2], answers[3]);
}

static void show_died(int is_given)
{
   pthread_t thread;
   make(is_given, 1);
   pthread_create(&thread, NULL, die, NULL);
   usleep(100);
   int answer = pthread_mutex_lock(&lock);
   printf("died %d\n", answer == EOWNERDEAD);
   pthread_join(thread, NULL);
}

int main(void)
{
   show_given();
   show_died(0);
   show_died(1);
   return 0;
}
