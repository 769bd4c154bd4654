#include "base/hash.h"

#include <stdlib.h>

enum { LEAST = 64 }; /* buckets */

static void put(Hash* table, HashBucket added)
{
   size_t mask = table->n_buckets - 1, i = added.hash & mask;
   while (table->buckets[i].number)
      i = (i + 1) & mask;
   table->buckets[i] = added;
}

static void grow(Hash* table, Failure* failure)
{
   Hash old = *table;
   size_t n = old.n_buckets ? 2 * old.n_buckets : LEAST;
   table->buckets = cg2p_memory_allocate(failure, n * sizeof *table->buckets);
   table->n_buckets = n;
   for (size_t i = 0; i < old.n_buckets; i++)
      if (old.buckets[i].number) put(table, old.buckets[i]);
   free(old.buckets);
}

void cg2p_hash_add(Hash* table,
                   Failure* failure,
                   uint32_t hash,
                   uint32_t number)
{
   if (3 * table->n >= 2 * table->n_buckets) grow(table, failure);
   put(table, (HashBucket){hash, number + 1});
   table->n++;
}

void cg2p_hash_clear(Hash* table)
{
   if (table->n_buckets > LEAST)
      cg2p_hash_free(table);
   else if (table->n)
      memset(table->buckets, 0, table->n_buckets * sizeof *table->buckets);
   table->n = 0;
}

void cg2p_hash_free(Hash* table)
{
   free(table->buckets);
   *table = (Hash){.n = 0};
}
