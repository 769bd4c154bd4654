/* Waits for the first of two children that compute, many times, and says how
 * often a handler has ended the wait: never, as the child that ends is the one
 * that is awaited. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 40, SHORT = 20000, LONG = 60000 };

static int n_heard;

static void hear(int signal)
{
   (void)signal;
   n_heard++;
}

static pid_t make_child(int n)
{
   pid_t child = fork();
   if (child) return child;
   for (volatile int i = 0; i < n; i++) {
   }
   _exit(0);
}

static int wait_for(pid_t child)
{
   int n = 0;
   while (waitpid(child, NULL, 0) < 0) {
      if (errno != EINTR) exit(1);
      n++;
   }
   return n;
}

int main(void)
{
   int n_interrupted = 0;
   struct sigaction action = {.sa_handler = hear};
   sigaction(SIGCHLD, &action, NULL);
   for (int i = 0; i < ROUNDS; i++) {
      pid_t longer = make_child(LONG), shorter = make_child(SHORT);
      n_interrupted += wait_for(shorter);
      n_interrupted += wait_for(longer);
   }
   printf("heard %d, interrupted %d\n", n_heard, n_interrupted);
   return 0;
}
