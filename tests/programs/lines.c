/* Uses one byte of each line of an array, and all words of each line of another,
   with what the first argument says in between. */

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

enum { LINES = 1000, LINE = 64, WORDS = LINE / sizeof(long) };

static volatile char one[LINES][LINE] __attribute__((aligned(LINE)));
static volatile long all[LINES * WORDS] __attribute__((aligned(LINE)));

__attribute__((noinline)) static void use_one(void)
{
   for (int i = 0; i < LINES; i++)
      one[i][0];
}

__attribute__((noinline)) static void use_all(void)
{
   for (int i = 0; i < LINES * WORDS; i++)
      all[i];
}

static void fork_child(void)
{
   pid_t child = fork();
   int status;
   if (child) waitpid(child, &status, 0);
}

int main(int argc, char** argv)
{
   const char* wish = argc > 1 ? argv[1] : "";
   use_one();
   if (strcmp(wish, "dump") == 0) CALLGRIND_DUMP_STATS;
   if (strcmp(wish, "zero") == 0) CALLGRIND_ZERO_STATS;
   if (strcmp(wish, "toggle") == 0) CALLGRIND_TOGGLE_COLLECT;
   if (strcmp(wish, "fork") == 0) fork_child();
   if (strcmp(wish, "off") == 0) {
      CALLGRIND_STOP_INSTRUMENTATION;
      CALLGRIND_START_INSTRUMENTATION;
   }
   if (strcmp(wish, "exec") == 0 && argc > 2) {
      execv(argv[2], argv + 2);
      use_one(); /* it failed */
   }
   use_all();
   return 0;
}
