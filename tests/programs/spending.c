/* Says what its children have spent, with their own: when it waits for them,
 * when it asks, and as a program that has replaced it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MILLISECOND = 1000000 };

/* Blocks of many instructions, each of which is little work. */
static void compute(void)
{
   __asm__ volatile(".rept 40; nop; .endr");
}

static void spend_milliseconds(long n)
{
   struct timespec spent;
   do {
      for (int i = 0; i < 1000; i++)
         compute();
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
   } while (spent.tv_nsec < n * MILLISECOND);
}

static void say(const char* what, const struct rusage* usage)
{
   struct tms tms;
   struct rusage all;
   times(&tms);
   getrusage(RUSAGE_CHILDREN, &all);
   printf("%s %ld, all %ld, ticks %ld\n", what, usage->ru_utime.tv_usec / 10000,
          all.ru_utime.tv_usec / 10000, (long)tms.tms_cutime);
}

/* A child that spends, and has one that spends. */
static pid_t make_child(void)
{
   pid_t child = fork();
   if (child) return child;
   pid_t grandchild = fork();
   spend_milliseconds(22);
   if (grandchild) wait(NULL);
   _exit(0);
}

static void look_and_wait(pid_t child, int options, const char* what)
{
   struct rusage usage = {0};
   syscall(SYS_waitid, P_PID, child, NULL, WEXITED | options, &usage);
   say(what, &usage);
}

int main(int argc, char** argv)
{
   struct rusage usage = {0};
   if (argc > 1) {
      say("replaced", &usage);
      return 0;
   }
   setvbuf(stdout, NULL, _IOLBF, 0);
   say("begins", &usage);
   wait4(make_child(), NULL, 0, &usage);
   say("waited", &usage);
   pid_t child = make_child();
   look_and_wait(child, WNOWAIT, "looked");
   look_and_wait(child, 0, "waited");
   execl(argv[0], argv[0], "replaced", (char*)NULL);
   return 1;
}
