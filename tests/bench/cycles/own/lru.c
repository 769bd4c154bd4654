/* A cache of 512 values that forgets the one that was not used for longest:
 * a hash table with chains, and a list in both directions. */
#include "bench.h"
enum { ENTRIES = 512, BUCKETS = 1024, REQUESTS = 20000 };
static struct entry {
   struct entry *newer, *older, *chain;
   uint32_t key, value;
} entries[ENTRIES], ring;
static struct entry* buckets[BUCKETS];
static uint32_t requests[REQUESTS];

static uint32_t bucket(uint32_t key)
{
   return key * 2654435761u >> 22;
}

void setup(void)
{
   ring.newer = ring.older = &ring;
   for (int i = 0; i < ENTRIES; i++) {
      struct entry* e = &entries[i];
      e->key = 1000000 + (uint32_t)i;
      e->newer = &ring, e->older = ring.older;
      ring.older->newer = e, ring.older = e;
      e->chain = buckets[bucket(e->key)];
      buckets[bucket(e->key)] = e;
   }
}

void prepare(void)
{
   for (int i = 0; i < REQUESTS; i++)
      requests[i] = (uint32_t)(rnd() % (rnd() % 1500 + 1));
}

static void front(struct entry* e)
{
   e->newer->older = e->older, e->older->newer = e->newer;
   e->newer = &ring, e->older = ring.older;
   ring.older->newer = e, ring.older = e;
}

static NI uint32_t get(uint32_t key)
{
   struct entry* e = buckets[bucket(key)];
   while (e && e->key != key)
      e = e->chain;
   if (!e) {
      e = ring.newer;
      struct entry** at = &buckets[bucket(e->key)];
      while (*at != e)
         at = &(*at)->chain;
      *at = e->chain;
      e->key = key, e->value = key * 3;
      e->chain = buckets[bucket(key)];
      buckets[bucket(key)] = e;
   }
   front(e);
   return e->value;
}

void bench(void)
{
   uint32_t sum = 0;
   for (int i = 0; i < REQUESTS; i++)
      sum += get(requests[i]);
   KEEP(sum);
}
