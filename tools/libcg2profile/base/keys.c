#include "base/keys.h"

#include <stdlib.h>
#include <string.h>

uint32_t cg2p_keys_intern(Keys* keys, Failure* failure, const uint64_t* key)
{
   size_t bytes = keys->width * sizeof *key;
   uint32_t hash = cg2p_hash_numbers(key, keys->width);
   uint32_t found =
      cg2p_hash_find(&keys->table, hash, number,
                     !memcmp(cg2p_keys_at(keys, number), key, bytes));
   if (found != CG2P_NONE) return found;
   if (keys->n >= CG2P_NONE - 1) cg2p_failure_memory(failure, SIZE_MAX);
   keys->of = cg2p_memory_grow(failure, keys->of, &keys->room,
                               (keys->n + 1) * keys->width, sizeof *keys->of);
   memcpy(keys->of + keys->n * keys->width, key, bytes);
   cg2p_hash_add(&keys->table, failure, hash, keys->n);
   return keys->n++;
}

void cg2p_keys_free(Keys* keys)
{
   free(keys->of);
   cg2p_hash_free(&keys->table);
   *keys = (Keys){.width = keys->width};
}
