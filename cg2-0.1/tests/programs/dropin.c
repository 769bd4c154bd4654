/* For dropin.sh. What the first argument says; work is what is counted.

   - plain: region(5), then recur(3), which calls work at each of its 4 levels;
     exit status 7
   - requests: region(1), instrumentation on, region(2), dump, region(3), zero,
     region(4), dump "middle", region(5), instrumentation off, region(6)
   - threads: two threads, alive at once, do region(10) and region(20); when
     both have ended main does region(30), dump, region(40)
   - fork: region(1), and the child region(2) and the parent region(3)
   - exec: region(1), then this program anew with "plain"
   - wait: region(1), wait, region(2), wait, region(3), wait, region(4). A wait
     makes the file "ready", and lasts until that is gone */

#include "counted.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

static volatile long state;
static pthread_barrier_t both;

COUNTED void work(void)
{
   __atomic_add_fetch(&state, 1, __ATOMIC_RELAXED);
}

COUNTED void region(long n)
{
   for (long i = 0; i < n; i++)
      work();
}

COUNTED void recur(int levels)
{
   work();
   if (levels > 0) recur(levels - 1);
}

COUNTED void* body(void* n)
{
   pthread_barrier_wait(&both);
   region((long)n);
   pthread_barrier_wait(&both);
   return NULL;
}

static int plain(void)
{
   region(5);
   recur(3);
   return 7;
}

static int requests(void)
{
   region(1);
   CALLGRIND_START_INSTRUMENTATION;
   region(2);
   CALLGRIND_DUMP_STATS;
   region(3);
   CALLGRIND_ZERO_STATS;
   region(4);
   CALLGRIND_DUMP_STATS_AT("middle");
   region(5);
   CALLGRIND_STOP_INSTRUMENTATION;
   region(6);
   return 0;
}

static int threads(void)
{
   pthread_t first, second;
   pthread_barrier_init(&both, NULL, 2);
   pthread_create(&first, NULL, body, (void*)10);
   pthread_create(&second, NULL, body, (void*)20);
   pthread_join(first, NULL);
   pthread_join(second, NULL);
   region(30);
   CALLGRIND_DUMP_STATS;
   region(40);
   return 0;
}

static int forking(void)
{
   region(1);
   pid_t child = fork();
   region(child == 0 ? 2 : 3);
   return child != 0 && waitpid(child, NULL, 0) != child;
}

static void waiting(void)
{
   close(open("ready", O_CREAT | O_WRONLY, 0600));
   while (access("ready", F_OK) == 0)
      usleep(500);
}

static int controlled(void)
{
   region(1);
   waiting();
   region(2);
   waiting();
   region(3);
   waiting();
   region(4);
   return 0;
}

int main(int argc, char** argv)
{
   const char* what = argc > 1 ? argv[1] : "";
   if (strcmp(what, "plain") == 0) return plain();
   if (strcmp(what, "requests") == 0) return requests();
   if (strcmp(what, "threads") == 0) return threads();
   if (strcmp(what, "fork") == 0) return forking();
   if (strcmp(what, "wait") == 0) return controlled();
   region(1);
   execl(argv[0], argv[0], "plain", (char*)NULL);
   return 1;
}
