#include "base/keys.h"

#include <stdlib.h>
#include <string.h>

static size_t hash(const Keys* keys, const uint64_t* key)
{
   uint64_t mixed = 0;
   for (uint32_t i = 0; i < keys->width; i++)
      mixed = (mixed ^ key[i] ^ mixed >> 29) * 0x9e3779b97f4a7c15ull;
   return mixed >> 32;
}

static bool is_same(const Keys* keys, const uint64_t* a, const uint64_t* b)
{
   return !memcmp(a, b, keys->width * sizeof *a);
}

/* The bucket of a key, or a free one. */
static uint32_t* find_bucket(const Keys* keys, const uint64_t* key)
{
   size_t mask = keys->n_buckets - 1, i = hash(keys, key) & mask;
   while (keys->buckets[i] &&
          !is_same(keys, cg2p_keys_at(keys, keys->buckets[i] - 1), key))
      i = (i + 1) & mask;
   return &keys->buckets[i];
}

static void grow_buckets(Keys* keys, Failure* failure)
{
   enum { LEAST = 64 };
   size_t n = keys->n_buckets ? 2 * keys->n_buckets : LEAST;
   uint32_t* buckets = cg2p_allocate(failure, n * sizeof *buckets);
   free(keys->buckets);
   keys->buckets = buckets;
   keys->n_buckets = n;
   for (size_t number = 0; number < keys->n; number++)
      *find_bucket(keys, cg2p_keys_at(keys, number)) = number + 1;
}

uint32_t cg2p_keys_intern(Keys* keys, Failure* failure, const uint64_t* key)
{
   if (2 * keys->n >= keys->n_buckets) grow_buckets(keys, failure);
   uint32_t* bucket = find_bucket(keys, key);
   if (*bucket) return *bucket - 1;
   if (keys->n >= UINT32_MAX - 1) cg2p_fail_memory(failure, SIZE_MAX);
   keys->of = cg2p_grow(failure, keys->of, &keys->room,
                        (keys->n + 1) * keys->width, sizeof *keys->of);
   memcpy(keys->of + keys->n * keys->width, key, keys->width * sizeof *key);
   *bucket = ++keys->n;
   return keys->n - 1;
}

void cg2p_keys_free(Keys* keys)
{
   free(keys->of);
   free(keys->buckets);
   *keys = (Keys){.width = keys->width};
}
