#include <pthread.h>
#include <stdio.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int q, done;
long sum[4];
void* w(void* a)
{
   long i = (long)a;
   for (;;) {
      pthread_mutex_lock(&m);
      while (!q && !done)
         pthread_cond_wait(&c, &m);
      if (!q) {
         pthread_mutex_unlock(&m);
         return 0;
      }
      q--;
      pthread_mutex_unlock(&m);
      for (volatile int k = 0; k < 1000; k++)
         ;
      sum[i]++;
   }
}
int main()
{
   pthread_t t[4];
   for (long i = 0; i < 4; i++)
      pthread_create(t + i, 0, w, (void*)i);
   for (int i = 0; i < 2000; i++) {
      pthread_mutex_lock(&m);
      q++;
      pthread_cond_signal(&c);
      pthread_mutex_unlock(&m);
   }
   pthread_mutex_lock(&m);
   done = 1;
   pthread_cond_broadcast(&c);
   pthread_mutex_unlock(&m);
   for (int i = 0; i < 4; i++)
      pthread_join(t[i], 0);
   printf("%ld %ld %ld %ld\n", sum[0], sum[1], sum[2], sum[3]);
}
