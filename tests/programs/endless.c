/* Waits for ever: a thread for a lock that another one keeps and which waits
 * for its end, or a sleep without an end, or for no signal. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void* lock(void* mutex)
{
   pthread_mutex_lock(mutex);
   return NULL;
}

int main(int argc, char** argv)
{
   const char* how = argc > 1 ? argv[1] : "";
   setvbuf(stdout, NULL, _IOLBF, 0);
   puts("waits");
   if (strcmp(how, "locked") == 0) {
      pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
      pthread_t thread;
      pthread_mutex_lock(&mutex);
      pthread_create(&thread, NULL, lock, &mutex);
      pthread_join(thread, NULL);
   } else if (strcmp(how, "sleeping") == 0) {
      struct timespec most = {LONG_MAX, 0};
      nanosleep(&most, NULL);
   } else {
      pause();
   }
   puts("goes on");
   return 0;
}
