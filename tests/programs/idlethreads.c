/* Two threads that wait for ever, each for a condition of its own; SIGUSR1 says so. Threads that end
 * one after the other come before. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void *end(void *argument)
{
   return argument;
}

static void *idle(void *condition)
{
   pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
   pthread_mutex_lock(&lock);
   for (;;) pthread_cond_wait(condition, &lock);
   return NULL;
}

static void say(int number)
{
   (void)number;
   if (write(1, "signal\n", 7) < 0) _exit(1);
}

int main(void)
{
   static pthread_cond_t first = PTHREAD_COND_INITIALIZER, second = PTHREAD_COND_INITIALIZER;
   pthread_t thread;
   for (int i = 0; i < 20; i++) {
      pthread_create(&thread, NULL, end, NULL);
      pthread_join(thread, NULL);
   }
   signal(SIGUSR1, say);
   pthread_create(&thread, NULL, idle, &first);
   puts("ready");
   fflush(stdout);
   idle(&second);
}
