/* Goes on as another program inside a region and outside of it.

   session region WAY      starts a child of 3 outside, one of 5 in region, and
                           one of 11 outside
   session request WAY     the same, with a request that toggles collection
                           around the child of 5
   session instrument WAY  the same, with instrumentation switched on and off
   session child N [x]     calls leaf N times, region, and leaf N times again;
                           x: after it has replaced itself

   WAY is how a child is started: fork, exec, fexec (by a descriptor), vfork,
   spawn, system, thread (a thread that spawns), again (a child that replaces
   itself). The fork has the same program go on. region calls tick. */

#include "counted.h"
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

extern char** environ;
static char *program, *way;
static volatile int n;

COUNTED void leaf(void)
{
   n++;
}

COUNTED void tick(void)
{
   n++;
}

COUNTED static void start(const char* count);

COUNTED void region(const char* count)
{
   tick();
   if (count) start(count);
}

static void child(int count)
{
   for (int i = 0; i < count; i++)
      leaf();
   region(NULL);
   for (int i = 0; i < count; i++)
      leaf();
}

static void wait_for(pid_t pid)
{
   int status;
   if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) exit(9);
}

static void* spawn(void* count)
{
   char* args[] = {program, "child", count, NULL};
   pid_t pid;
   if (posix_spawn(&pid, program, NULL, NULL, args, environ) != 0) exit(9);
   wait_for(pid);
   return NULL;
}

static void start_thread_of(char* count)
{
   pthread_t thread;
   pthread_create(&thread, NULL, spawn, count);
   pthread_join(thread, NULL);
}

static void start_in_shell(const char* count)
{
   char command[4096];
   snprintf(command, sizeof command, "'%s' child %s", program, count);
   if (system(command) != 0) exit(9);
}

static void start_by_fork(const char* count)
{
   pid_t pid = strcmp(way, "vfork") == 0 ? vfork() : fork();
   if (pid == 0) {
      if (strcmp(way, "fork") == 0) {
         child(atoi(count));
         _exit(0);
      }
      if (strcmp(way, "fexec") == 0) {
         char* args[] = {program, "child", (char*)count, NULL};
         fexecve(open(program, O_RDONLY | O_CLOEXEC), args, environ);
      }
      char* last = strcmp(way, "again") == 0 ? "x" : NULL;
      execl(program, program, "child", count, last, (char*)NULL);
      _exit(9);
   }
   wait_for(pid);
}

COUNTED static void start(const char* count)
{
   if (strcmp(way, "system") == 0)
      start_in_shell(count);
   else if (strcmp(way, "spawn") == 0)
      spawn((char*)count);
   else if (strcmp(way, "thread") == 0)
      start_thread_of((char*)count);
   else
      start_by_fork(count);
}

static void run(const char* what)
{
   start("3");
   if (strcmp(what, "region") == 0) region("5");
   if (strcmp(what, "request") == 0) {
      CALLGRIND_TOGGLE_COLLECT;
      start("5");
      CALLGRIND_TOGGLE_COLLECT;
   }
   if (strcmp(what, "instrument") == 0) {
      CALLGRIND_START_INSTRUMENTATION;
      start("5");
      CALLGRIND_STOP_INSTRUMENTATION;
   }
   start("11");
}

int main(int argc, char** argv)
{
   if (argc < 3) return 1;
   program = argv[0];
   if (argc > 3) execl(program, program, "child", argv[2], (char*)NULL);
   if (strcmp(argv[1], "child") == 0) {
      child(atoi(argv[2]));
      return 0;
   }
   way = argv[2];
   run(argv[1]);
   return 0;
}
