/* Threads with names. "each": main calls itself "boss"; the first thread calls
   itself "reader"; main calls the second one "writer"; the third has no name,
   as `nameless` writes to a file that names no thread. "again": eleven
   threads one after another, each with a name of its own: step0, step1, ... */

#define _GNU_SOURCE
#include "counted.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static pthread_barrier_t named, done;

COUNTED void work(void) {}

COUNTED void* reader(void* unused)
{
   (void)unused;
   prctl(PR_SET_NAME, "reader", 0, 0, 0);
   work();
   pthread_barrier_wait(&named);
   pthread_barrier_wait(&done);
   return NULL;
}

COUNTED void* writer(void* unused)
{
   (void)unused;
   pthread_barrier_wait(&named);
   work();
   work();
   pthread_barrier_wait(&done);
   return NULL;
}

COUNTED void* nameless(void* unused)
{
   (void)unused;
   int fd = open("/dev/null", O_WRONLY);
   if (fd < 0 || write(fd, "nobody", 6) != 6) return NULL;
   close(fd);
   pthread_barrier_wait(&named);
   work();
   work();
   work();
   pthread_barrier_wait(&done);
   return NULL;
}

static int each(void)
{
   pthread_t threads[3];
   void* (*bodies[])(void*) = {reader, writer, nameless};
   pthread_barrier_init(&named, NULL, 4);
   pthread_barrier_init(&done, NULL, 4);
   prctl(PR_SET_NAME, "boss", 0, 0, 0);
   for (int i = 0; i < 3; i++)
      if (pthread_create(&threads[i], NULL, bodies[i], NULL) != 0) return 3;
   if (pthread_setname_np(threads[1], "writer") != 0) return 4;
   pthread_barrier_wait(&named);
   pthread_barrier_wait(&done);
   for (int i = 0; i < 3; i++)
      pthread_join(threads[i], NULL);
   return 0;
}

static void* step(void* number)
{
   char name[16];
   snprintf(name, sizeof name, "step%d", *(int*)number);
   prctl(PR_SET_NAME, name, 0, 0, 0);
   prctl(PR_SET_NAME, name, 0, 0, 0);
   return NULL;
}

static int again(void)
{
   for (int i = 0; i < 11; i++) {
      pthread_t thread;
      if (pthread_create(&thread, NULL, step, &i) != 0) return 3;
      pthread_join(thread, NULL);
   }
   return 0;
}

int main(int argc, char** argv)
{
   return argc > 1 && strcmp(argv[1], "each") == 0 ? each() : again();
}
