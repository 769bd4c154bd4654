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

/* Puts the number in a bucket, if there is one, where it now belongs. */
static void put_anew(Hash* table, size_t i)
{
   HashBucket moved = table->buckets[i];
   if (!moved.number) return;
   table->buckets[i].number = 0;
   put(table, moved);
}

/* Doubles the buckets where they are: new ones would cost a page fault for each
 * page of the old ones. The numbers are put anew one after the other, from a
 * free bucket on. So none finds room behind the bucket that it leaves, or
 * behind the same one of the new half, and none is moved twice. */
static void grow(Hash* table, Failure* failure)
{
   size_t old = table->n_buckets, n = old ? 2 * old : LEAST, first = 0;
   HashBucket* grown = realloc(table->buckets, n * sizeof *grown);
   if (!grown) cg2p_failure_memory(failure, n * sizeof *grown);
   memset(grown + old, 0, (n - old) * sizeof *grown);
   table->buckets = grown;
   table->n_buckets = n;
   while (grown[first].number)
      first++;
   for (size_t i = 0; i < old; i++)
      put_anew(table, (first + i) & (old - 1));
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
