/* Two threads in turn: each reads what the other has just stored, and nothing
 * else. */
#include <pthread.h>
#include <semaphore.h>

enum { TURNS = 50 };

static sem_t turn[2];
static volatile int handed;

static void* take_turns(void* which)
{
   long own = (long)which;
   long sum = 0;
   for (int i = 0; i < TURNS; i++) {
      sem_wait(&turn[own]);
      sum += handed; /*= taken */
      handed = i;
      sem_post(&turn[!own]);
   }
   return (void*)sum;
}

int main(void)
{
   pthread_t other;
   sem_init(&turn[0], 0, 1);
   sem_init(&turn[1], 0, 0);
   pthread_create(&other, NULL, take_turns, (void*)1L);
   take_turns(NULL);
   pthread_join(other, NULL);
   return 0;
}
