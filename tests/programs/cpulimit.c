/* Spends more of the processor's time than it may, and says when it hears of
 * that. A child has spent nothing when it begins. */
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct timespec spent(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return t;
}

static void hear(int signal)
{
   struct rlimit limit;
   getrlimit(RLIMIT_CPU, &limit);
   printf("signal %d after %ld, next %ld of %ld\n", signal, spent().tv_sec,
          (long)limit.rlim_cur, (long)limit.rlim_max);
}

/* Blocks of many instructions, each of which is little work. */
static void compute(void)
{
   __asm__ volatile(".rept 40; nop; .endr");
}

static void spend_milliseconds(long n)
{
   while (spent().tv_nsec < n * 1000000)
      for (int i = 0; i < 1000; i++)
         compute();
}

static void exceed(void)
{
   struct rlimit limit = {0, 2};
   signal(SIGXCPU, hear);
   setrlimit(RLIMIT_CPU, &limit);
   for (;;)
      compute();
}

int main(void)
{
   int status;
   setvbuf(stdout, NULL, _IOLBF, 0);
   spend_milliseconds(200);
   if (fork() == 0) {
      printf("begins at 0 %d\n", spent().tv_nsec < 100000000);
      exceed();
   }
   wait(&status);
   printf("ends by %d\n", WTERMSIG(status));
}
