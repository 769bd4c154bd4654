/* A child hears a signal of its parent while it computes, sleeps, looks for one
 * from time to time, or waits for that, as the argument says. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t heard;

static void hear(int signal)
{
   (void)signal;
   heard = 1;
}

static void run_child(const char* how, const sigset_t* before)
{
   if (strcmp(how, "waits") == 0) {
      while (!heard)
         sigsuspend(before);
      return;
   }
   if (strcmp(how, "looks") == 0) {
      const struct timespec no_time = {0, 0};
      while (!heard)
         ppoll(NULL, 0, &no_time, before);
      return;
   }
   sigprocmask(SIG_SETMASK, before, NULL);
   while (!heard)
      if (strcmp(how, "sleeps") == 0) sleep(1);
}

int main(int argc, char** argv)
{
   int status;
   sigset_t blocked, before;
   struct sigaction action = {.sa_handler = hear};
   sigaction(SIGUSR1, &action, NULL);
   sigemptyset(&blocked);
   sigaddset(&blocked, SIGUSR1);
   sigprocmask(SIG_BLOCK, &blocked, &before);
   pid_t child = fork();
   if (child == 0) {
      run_child(argc > 1 ? argv[1] : "", &before);
      _exit(heard);
   }
   kill(child, SIGUSR1);
   waitpid(child, &status, 0);
   printf("heard %d\n", WEXITSTATUS(status));
   return 0;
}
