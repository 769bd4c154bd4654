/* Numbers for keys: each key, a few words, is kept once, and known by a number
 * from 0 in the order in which keys were first asked for. */
#ifndef CG2P_KEYS_H
#define CG2P_KEYS_H

#include "base/hash.h"

#include <stdbool.h>

typedef struct Keys {
   uint32_t width; /* words of a key */
   uint64_t* of;   /* all keys, one behind the other */
   size_t n, room; /* keys; words */
   Hash table;
} Keys;

/* The number of a key, which is added if it is new. */
uint32_t cg2p_keys_intern(Keys* keys, Failure* failure, const uint64_t* key);

static inline const uint64_t* cg2p_keys_at(const Keys* keys, uint32_t number)
{
   return keys->of + (size_t)number * keys->width;
}

void cg2p_keys_free(Keys* keys);

#endif
