/* Two threads take turns to increment fields of their own, N times each. With
 * -DPADDED each field has a cache line to itself; without, they share one. Both
 * increment `both` as well, and the second reads what the first has written
 * beside it. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { N = 50, LINE = 64 };

#ifdef PADDED
#define OWN_LINE __attribute__((aligned(LINE)))
#else
#define OWN_LINE
#endif

typedef struct Fields {
   long first;
   OWN_LINE long second;
   __attribute__((aligned(LINE))) long both;
   __attribute__((aligned(LINE))) int turn;
} Fields;

static void wait_for(volatile int* turn, int mine)
{
   while (*turn != mine)
      sched_yield();
}

static __attribute__((noinline)) void add(volatile long* field)
{
   ++*field;
}

static void* run(void* arg)
{
   Fields* fields = arg;
   for (int i = 0; i < N; i++) {
      wait_for(&fields->turn, 1);
      add(&fields->second);
      add(&fields->both);
      *(volatile int*)&fields->turn = 0;
   }
   return NULL;
}

int main(void)
{
   pthread_t other;
   Fields* fields = aligned_alloc(LINE, sizeof *fields); /* fields */
   fields->first = fields->second = fields->both = fields->turn = 0;
   pthread_create(&other, NULL, run, fields);
   for (int i = 0; i < N; i++) {
      wait_for(&fields->turn, 0);
      add(&fields->first);
      add(&fields->both);
      *(volatile int*)&fields->turn = 1;
   }
   pthread_join(other, NULL);
   return fields->first + fields->second != 2 * N;
}
