/* The hash table of all that is found by what it is: numbers of things that
 * their owner keeps, in an array as a rule.
 *
 *    uint32_t hash = cg2p_hash_number(address);
 *    uint32_t found = cg2p_hash_find(&table, hash, i, of[i].address ==
 * address); if (found == CG2P_NONE) cg2p_hash_add(&table, failure, hash, n++);
 */
#ifndef CG2P_HASH_H
#define CG2P_HASH_H

#include "base/memory.h"

#include <string.h>

typedef struct HashBucket {
   uint32_t hash;
   uint32_t number; /* + 1; 0: free */
} HashBucket;

/* Begins as zeroes. */
typedef struct Hash {
   HashBucket* buckets; /* a number is in its own, or in one of the next */
   size_t n, n_buckets; /* numbers; buckets, a power of two */
} Hash;

/*--- What things are hashed to ------------------------------------------*/

static inline uint32_t cg2p_hash_number(uint64_t number)
{
   uint64_t mixed = number * 0x9e3779b97f4a7c15ull;
   return mixed ^ mixed >> 32;
}

static inline uint32_t cg2p_hash_numbers(const uint64_t* numbers, size_t n)
{
   uint64_t mixed = 0;
   for (size_t i = 0; i < n; i++)
      mixed = (mixed ^ numbers[i] ^ mixed >> 29) * 0x9e3779b97f4a7c15ull;
   return mixed >> 32;
}

static inline uint32_t cg2p_hash_text(const char* text, size_t length)
{
   uint64_t mixed = length * 0x9e3779b97f4a7c15ull, word = 0;
   for (; length >= sizeof word; length -= sizeof word, text += sizeof word) {
      memcpy(&word, text, sizeof word);
      mixed = (mixed ^ word) * 0xff51afd7ed558ccdull;
      mixed ^= mixed >> 32;
   }
   word = 0;
   memcpy(&word, text, length);
   mixed = (mixed ^ word) * 0xff51afd7ed558ccdull;
   return mixed ^ mixed >> 32;
}

/*--- Finding and adding -------------------------------------------------*/

/* The next number of a hash; CG2P_NONE: there is none left. *at is where to
 * look, the hash at first. */
static inline uint32_t
cg2p_hash_next(const Hash* table, uint32_t hash, size_t* at)
{
   while (table->n) {
      const HashBucket* bucket = &table->buckets[*at & (table->n_buckets - 1)];
      if (!bucket->number) break;
      ++*at;
      if (bucket->hash == hash) return bucket->number - 1;
   }
   return CG2P_NONE;
}

/* The number of the thing with a hash for which `is_same`, an expression of
 * `number`, is true; CG2P_NONE: there is none. */
#define cg2p_hash_find(table, hash, number, is_same)                           \
   ({                                                                          \
      const Hash* table_ = (table);                                            \
      uint32_t hash_ = (hash), number;                                         \
      size_t at_ = hash_;                                                      \
      do                                                                       \
         number = cg2p_hash_next(table_, hash_, &at_);                         \
      while (number != CG2P_NONE && !(is_same));                               \
      number;                                                                  \
   })

/* Has the place of a hash brought into the processor's cache. */
static inline void cg2p_hash_fetch(const Hash* table, uint32_t hash)
{
   if (table->n)
      __builtin_prefetch(&table->buckets[hash & (table->n_buckets - 1)]);
}

/* Adds a number, which is not there yet. */
void cg2p_hash_add(Hash* table,
                   Failure* failure,
                   uint32_t hash,
                   uint32_t number);
/* Forgets all numbers; few that are added then find room where these were. */
void cg2p_hash_clear(Hash* table);
void cg2p_hash_free(Hash* table);

#endif
