/* Calls of allocators, each in a function of its own, with the number of calls
   and the bytes in its comment. main has none itself. With an argument, main
   also starts a thread that runs in_thread. */

#define _GNU_SOURCE
#include "counted.h"
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* kept[64];
static int n_kept;

static void keep(void* memory)
{
   OPAQUE(memory);
   kept[n_kept++] = memory;
}

/* 10 calls, 10 + 20 + ... + 100 = 550 bytes */
COUNTED void by_malloc(void)
{
   for (int i = 1; i <= 10; i++)
      keep(malloc(i * 10));
}

/* 2 calls, 3 * 40 + 1 * 8 = 128 bytes */
COUNTED void by_calloc(void)
{
   keep(calloc(3, 40));
   keep(calloc(1, 8));
}

/* 3 calls, 10 + 1000 + 100000 bytes: the first is of no memory */
COUNTED void by_realloc(void)
{
   char* memory = realloc(NULL, 10);
   OPAQUE(memory);
   memory = realloc(memory, 1000);
   OPAQUE(memory);
   keep(realloc(memory, 100000));
}

/* 1 call, 7 * 9 bytes */
COUNTED void by_reallocarray(void)
{
   keep(reallocarray(NULL, 7, 9));
}

/* 3 calls, 100 + 128 + 300 bytes */
COUNTED void aligned(void)
{
   void* memory;
   if (posix_memalign(&memory, 64, 100) == 0) keep(memory);
   keep(aligned_alloc(64, 128));
   keep(memalign(64, 300));
}

/* none: nothing is allocated */
COUNTED void refused(void)
{
   size_t most = PTRDIFF_MAX;
   OPAQUE(most);
   void* memory = malloc(most);
   OPAQUE(memory);
   memory = calloc(most, 2);
   OPAQUE(memory);
   if (posix_memalign(&memory, 3, 100) == 0) keep(memory);
}

/* none itself: strdup calls malloc, once, for 6 bytes */
COUNTED void by_strdup(void)
{
   char* text = "hello";
   OPAQUE(text);
   keep(strdup(text));
}

/* none itself: the jump of `wrapper` calls malloc */
COUNTED void* wrapper(size_t size)
{
   OPAQUE(size);
   return malloc(size);
}

/* none itself: 2 calls, of wrapper, 5 + 6 bytes */
COUNTED void by_wrapper(void)
{
   keep(wrapper(5));
   keep(wrapper(6));
}

static jmp_buf away;
static volatile int n_caught;

static void leave(int signal)
{
   (void)signal;
   n_caught++;
   siglongjmp(away, 1);
}

/* 1 call, 11 bytes: malloc_usable_size gets no memory, and the fault in free is
   left by longjmp; no thread may be taken to be in an allocator after that */
COUNTED void after_fault(void)
{
   signal(SIGSEGV, leave);
   if (!sigsetjmp(away, 1)) {
      uintptr_t nowhere = 16;
      OPAQUE(nowhere);
      void* memory = realloc((void*)nowhere, 50);
      OPAQUE(memory);
   }
   keep(malloc(11));
}

/* 4 calls, 4 * 1000 bytes */
COUNTED void in_thread(void)
{
   for (int i = 0; i < 4; i++)
      keep(malloc(1000));
}

static void* start(void* nothing)
{
   in_thread();
   return nothing;
}

int main(int argc, char** argv)
{
   (void)argv;
   by_malloc();
   by_calloc();
   by_realloc();
   by_reallocarray();
   aligned();
   refused();
   by_strdup();
   by_wrapper();
   after_fault();
   if (argc > 1) {
      pthread_t thread;
      if (pthread_create(&thread, NULL, start, NULL)) return 1;
      pthread_join(thread, NULL);
   }
   return n_caught == 1 ? 0 : 1;
}
