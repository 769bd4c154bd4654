/* Loads the libraries that it is called with, one after the other, and lets
 * each touch its variables 1000 times in each of three threads. What a library
 * had is unmapped before the next one comes. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, TIMES = 1000 };

__thread long own;

static void (*touch)(void);

static void* run(void* unused)
{
   for (int i = 0; i < TIMES; i++) {
      touch();
      own = i;
   }
   return unused;
}

int main(int n, char** libraries)
{
   for (int i = 1; i < n; i++) {
      void* library = dlopen(libraries[i], RTLD_NOW);
      if (!library) return 1;
      *(void**)&touch = dlsym(library, "touch");
      pthread_t threads[THREADS];
      for (int t = 0; t < THREADS; t++)
         pthread_create(&threads[t], NULL, run, NULL);
      for (int t = 0; t < THREADS; t++)
         pthread_join(threads[t], NULL);
      if (dlclose(library) != 0) return 2;
      printf("%p\n", (void*)touch);
   }
   return 0;
}
