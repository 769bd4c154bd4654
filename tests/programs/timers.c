/* Timers that send signals: says when they did, in a sleep, in pause, in a read
 * that nobody answers, and in a loop that computes. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t n_heard;

static void hear(int signal)
{
   (void)signal;
   n_heard++;
}

static double now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return t.tv_sec + t.tv_nsec / 1e9;
}

static void show(const char* what, double begin)
{
   printf("%s heard %d after %.1f\n", what, n_heard, now() - begin);
   n_heard = 0;
}

static void every(int which, int milliseconds)
{
   struct timeval t = {milliseconds / 1000, milliseconds % 1000 * 1000};
   struct itimerval times = {t, t};
   setitimer(which, &times, NULL);
}

int main(void)
{
   int ends[2];
   char byte;
   struct sigaction action = {.sa_handler = hear};
   sigaction(SIGALRM, &action, NULL);
   sigaction(SIGVTALRM, &action, NULL);
   sigaction(SIGPROF, &action, NULL);
   double begin = now();
   alarm(300);
   printf("left %u\n", alarm(200));
   unsigned left = sleep(1000);
   show("sleep", begin);
   printf("left %u\n", left);
   begin = now();
   alarm(100);
   pause();
   show("pause", begin);
   begin = now();
   every(ITIMER_REAL, 100000);
   for (int i = 0; i < 5; i++)
      pause();
   every(ITIMER_REAL, 0);
   show("five times", begin);
   if (pipe(ends)) return 1;
   begin = now();
   every(ITIMER_REAL, 100);
   int n = read(ends[0], &byte, 1);
   printf("read %d\n", n < 0 && errno == EINTR);
   every(ITIMER_REAL, 0);
   show("read", begin);
   for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++) {
      begin = now();
      every(which, 200);
      while (n_heard < 3) {
      }
      every(which, 0);
      show("loop", begin);
   }
   return 0;
}
