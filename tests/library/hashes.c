/* Puts numbers into a hash table of libcg2profile whose hashes are for one
 * bucket, for the last ones, for the first ones or for any, and finds all of
 * them after each. Prints the buckets of the largest table. */
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 3000 };

static Failure failure;

static uint32_t any(uint32_t i)
{
   return cg2p_hash_number(i);
}

/* Hashes for the last buckets of any table. */
static uint32_t last_buckets(uint32_t i)
{
   return -1 - i % 5;
}

static uint32_t last_and_first(uint32_t i)
{
   return i % 7 - 3;
}

/* Hashes for the last of each 32 buckets. */
static uint32_t parted(uint32_t i)
{
   return any(i) << 5 | 31;
}

static uint32_t full(uint32_t i)
{
   return i;
}

static void check(const Hash* table, uint32_t (*hash)(uint32_t), uint32_t n)
{
   for (uint32_t wanted = 0; wanted < n; wanted++) {
      uint32_t found =
         cg2p_hash_find(table, hash(wanted), number, number == wanted);
      if (found != wanted) {
         printf("of %u numbers %u is lost\n", n, wanted);
         exit(1);
      }
   }
   if (cg2p_hash_find(table, hash(n), number, number >= n) != CG2P_NONE) {
      printf("a number is found that is not there\n");
      exit(1);
   }
}

static size_t fill(uint32_t (*hash)(uint32_t), uint32_t numbers)
{
   Hash table = {.n = 0};
   size_t buckets = 0;
   for (uint32_t n = 0; n < numbers; n++) {
      cg2p_hash_add(&table, &failure, hash(n), n);
      if (table.n_buckets != buckets || n + 1 == numbers)
         check(&table, hash, n + 1);
      buckets = table.n_buckets;
   }
   cg2p_hash_free(&table);
   return buckets;
}

int main(void)
{
   size_t buckets = fill(any, NUMBERS);
   fill(full, NUMBERS);
   fill(parted, NUMBERS);
   fill(last_buckets, NUMBERS / 4);
   fill(last_and_first, NUMBERS / 4);
   printf("%zu\n", buckets);
   return 0;
}
