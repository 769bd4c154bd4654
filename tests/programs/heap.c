/* Blocks of the heap, each touched a number of times that is known. `reads` and
   `writes` touch a word and nothing else; the comment of each line that
   allocates says how often its blocks are touched.

   The program does the things that its arguments name, in the order of the
   table. */

#define _GNU_SOURCE
#include "counted.h"
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

COUNTED void reads(volatile long* word, int n)
{
   while (n--) {
      long found = *word;
      OPAQUE(found);
   }
}

COUNTED void writes(volatile long* word, int n)
{
   while (n--)
      *word = n;
}

/* 3 blocks of 64 bytes: 6 reads at offset 8, 3 writes at offset 56. */
COUNTED void by_malloc(void)
{
   for (int i = 0; i < 3; i++) {
      long* block = malloc(64); /* in a loop */
      reads(block + 1, 2);
      writes(block + 7, 1);
      free(block);
   }
}

COUNTED void by_calloc(void)
{
   long* block = calloc(10, 8); /* 5 reads, no write */
   reads(block + 9, 5);
   free(block);
}

COUNTED void by_posix_memalign(void)
{
   void* block = NULL;
   if (posix_memalign(&block, 64, 128)) return; /* 4 reads, 1 write */
   reads(block, 4);
   writes(block, 1);
   free(block);
}

/* A block that moves: what touches it then belongs to the line that moves it,
   and what realloc itself does to nobody. */
COUNTED void by_realloc(void)
{
   long* block = malloc(100);  /* 7 writes */
   long* behind = malloc(100); /* never touched */
   OPAQUE(behind);
   writes(block + 1, 7);
   block = realloc(block, 100000); /* moved: 3 reads */
   reads(block + 1, 3);
   block = realloc(block, 50000); /* in place: 2 reads */
   reads(block + 1, 2);
   long* same = block;
   OPAQUE(same);
   block = realloc(block, PTRDIFF_MAX); /* refused */
   reads(same + 1, 11);
   block = realloc(same, 0); /* nothing */
   free(block);
   free(behind);
}

/* The same address, for two lines. */
COUNTED void again(void)
{
   long* block = malloc(40); /* first: 1 read */
   uintptr_t address = (uintptr_t)block;
   reads(block, 1);
   free(block);
   block = malloc(40); /* second: 2 reads */
   if ((uintptr_t)block != address) puts("another address");
   reads(block, 2);
   free(block);
}

COUNTED void by_strdup(void)
{
   char* text = "seven23";
   OPAQUE(text);
   char* copy = strdup(text); /* 9 reads */
   reads((long*)copy, 9);
   free(copy);
}

COUNTED void by_getline(void)
{
   char* line = NULL;
   size_t size = 0;
   FILE* file = fopen("/proc/self/cmdline", "r");
   if (!file) return;
   if (getline(&line, &size, file) > 0) /* at least 10 reads */
      reads((long*)line, 10);
   fclose(file);
   free(line);
}

COUNTED void by_mmap(void)
{
   long* map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, /* of mmap */
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (map == MAP_FAILED) return;
   writes(map + 512, 6);
   munmap((char*)map + 4096, 4096);
   writes(map, 2);
   munmap(map, 4096);
}

/*--- Pools --------------------------------------------------------------*/

static char* arena;

/* Pieces of an arena that is a block of malloc. */
COUNTED void* pool_alloc(int number, int size)
{
   if (!arena) arena = malloc(4096); /* the arena: 2 reads */
   OPAQUE(number);
   char* piece = arena + 16;
   OPAQUE(size);
   arena += size;
   return piece;
}

COUNTED void pool_free(void* piece)
{
   OPAQUE(piece);
}

COUNTED void by_pool(void)
{
   long* piece = pool_alloc(1, 32); /* one: 3 reads */
   long* other = pool_alloc(1, 64); /* another: 4 writes */
   reads(piece, 3);
   writes(other + 1, 4);
   pool_free(piece);
   reads(piece, 2);
   writes(other + 1, 1);
}

/*--- Threads and processes ----------------------------------------------*/

static long* handed;
static pthread_barrier_t barrier;

static void* allocate(void* nothing)
{
   handed = malloc(48); /* of a thread: 5 reads, 2 writes */
   reads(handed, 2);
   pthread_barrier_wait(&barrier);
   pthread_barrier_wait(&barrier);
   return nothing;
}

/* The main thread frees what another one has allocated. */
COUNTED void by_thread(void)
{
   pthread_t thread;
   pthread_barrier_init(&barrier, NULL, 2);
   if (pthread_create(&thread, NULL, allocate, NULL)) exit(1);
   pthread_barrier_wait(&barrier);
   reads(handed, 3);
   writes(handed, 2);
   long* freed = handed;
   free(handed);
   OPAQUE(freed);
   long* block = malloc(48); /* of the main thread: 1 write */
   writes(block, 1);
   free(block);
   pthread_barrier_wait(&barrier);
   pthread_join(thread, NULL);
}

/* The child has the blocks of its parent, and what it does with its own. */
COUNTED void by_fork(void)
{
   long* block = malloc(56); /* of the parent: 1 read; of the child: 4 */
   pid_t child = fork();
   if (child == 0) {
      reads(block, 4);
      free(block);
      block = malloc(56); /* of the child: 6 writes */
      writes(block, 6);
      exit(0);
   }
   waitpid(child, NULL, 0);
   reads(block, 1);
   free(block);
}

static const struct {
   const char* name;
   void (*run)(void);
} things[] = {
   {"malloc", by_malloc},
   {"calloc", by_calloc},
   {"memalign", by_posix_memalign},
   {"realloc", by_realloc},
   {"again", again},
   {"strdup", by_strdup},
   {"getline", by_getline},
   {"mmap", by_mmap},
   {"pool", by_pool},
   {"thread", by_thread},
   {"fork", by_fork},
};

int main(int argc, char** argv)
{
   for (unsigned i = 0; i < sizeof things / sizeof *things; i++)
      for (int a = 1; a < argc; a++)
         if (strcmp(argv[a], things[i].name) == 0) things[i].run();
   return 0;
}
