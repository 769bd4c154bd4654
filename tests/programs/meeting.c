/* Threads that wait for each other, in the way that the first argument says:
 * `queue`, `spinning` or `barrier`. Says what each has done, which depends on
 * the order in which they run. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, ROOM = 8, ITEMS = 600, ROUNDS = 40 };

static long done[THREADS], mixed;
static volatile long work;

static void compute(long n)
{
   for (long i = 0; i < n; i++)
      work += i;
}

/* What is done in another order gives another number. */
static void mix(long by)
{
   done[by]++;
   mixed = (mixed * 31 + by + 1) % 1000003;
}

/*--- Two produce, and two consume ---------------------------------------*/

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_item = PTHREAD_COND_INITIALIZER;
static pthread_cond_t has_room = PTHREAD_COND_INITIALIZER;
static int n_items, n_taken;

static void produce(void)
{
   for (int i = 0; i < ITEMS / 2; i++) {
      compute(200);
      pthread_mutex_lock(&mutex);
      while (n_items == ROOM)
         pthread_cond_wait(&has_room, &mutex);
      n_items++;
      pthread_cond_signal(&has_item);
      pthread_mutex_unlock(&mutex);
   }
}

static int take(long self)
{
   pthread_mutex_lock(&mutex);
   while (!n_items && n_taken < ITEMS)
      pthread_cond_wait(&has_item, &mutex);
   int is_taken = n_items > 0;
   if (is_taken) {
      n_items--;
      mix(self);
      if (++n_taken == ITEMS) pthread_cond_broadcast(&has_item);
      pthread_cond_signal(&has_room);
   }
   pthread_mutex_unlock(&mutex);
   return is_taken;
}

static void* queue(void* arg)
{
   long self = (long)arg;
   if (self < 2)
      produce();
   else
      while (take(self))
         compute(700);
   return NULL;
}

/*--- All take a lock by spinning ----------------------------------------*/

static atomic_flag lock = ATOMIC_FLAG_INIT;

static void* spin(void* arg)
{
   for (int i = 0; i < ITEMS; i++) {
      while (atomic_flag_test_and_set(&lock))
         ;
      compute(100);
      mix((long)arg);
      atomic_flag_clear(&lock);
      compute(50);
   }
   return NULL;
}

/*--- All meet -----------------------------------------------------------*/

static pthread_barrier_t barrier;

static void* meet(void* arg)
{
   long self = (long)arg;
   for (int i = 0; i < ROUNDS; i++) {
      compute(3000 * (self + i) % 7000);
      pthread_mutex_lock(&mutex);
      mix(self);
      pthread_mutex_unlock(&mutex);
      pthread_barrier_wait(&barrier);
   }
   return NULL;
}

int main(int argc, char** argv)
{
   const char* way = argc > 1 ? argv[1] : "";
   void* (*run)(void*) = !strcmp(way, "queue")      ? queue
                         : !strcmp(way, "spinning") ? spin
                                                    : meet;
   pthread_t threads[THREADS];
   pthread_barrier_init(&barrier, NULL, THREADS);
   for (long i = 0; i < THREADS; i++)
      pthread_create(&threads[i], NULL, run, (void*)i);
   for (int i = 0; i < THREADS; i++)
      pthread_join(threads[i], NULL);
   printf("%ld %ld %ld %ld, %ld\n", done[0], done[1], done[2], done[3], mixed);
   return 0;
}
