/* Two threads write in turn, each to its own word: `sharing 8` has the words
   in one line, `sharing 512` in lines of their own. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 200 };

static _Alignas(4096) char memory[8192];
static int turns[2][2]; /* pipes */
static int distance;

__attribute__((noinline)) static void bump(volatile long *word)
{
   ++*word;
}

static void *run(void *number)
{
   long mine = (long)number;
   char turn = 0;
   for (int i = 0; i < ROUNDS; i++) {
      if (read(turns[mine][0], &turn, 1) != 1) exit(1);
      bump((long *)(memory + 4096 + mine * distance));
      if (write(turns[1 - mine][1], &turn, 1) != 1) exit(1);
   }
   return NULL;
}

int main(int argc, char **argv)
{
   pthread_t thread;
   char turn = 0;
   distance = argc > 1 ? atoi(argv[1]) : 8;
   if (pipe(turns[0]) || pipe(turns[1])) return 1;
   if (write(turns[0][1], &turn, 1) != 1) return 1;
   pthread_create(&thread, NULL, run, (void *)1);
   run((void *)0);
   pthread_join(thread, NULL);
   printf("%ld\n", *(long *)(memory + 4096) + *(long *)(memory + 4096 + distance));
   return 0;
}
