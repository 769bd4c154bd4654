/* NumberMap by 64-bit keys. A key is the place of a thing in memory, or what a
 * text is hashed to. */
#ifndef CG2P_NUMBERMAP_H
#define CG2P_NUMBERMAP_H

#include "base/hash.h"

typedef struct KeyedNumber {
   uint64_t key, number;
} KeyedNumber;

/* Begins as zeroes. */
typedef struct NumberMap {
   KeyedNumber* of; /* in the order in which keys were set first */
   size_t n, room;
   Hash table; /* by key */
} NumberMap;

/* The number of a key; 0: it has none. */
uint64_t cg2p_numbermap_find(const NumberMap* map, uint64_t key);
/* Gives a key a number, in place of the one that it may have. */
void cg2p_numbermap_set(NumberMap* map,
                        Failure* failure,
                        uint64_t key,
                        uint64_t number);
void cg2p_numbermap_free(NumberMap* map);

/* The key of a text, not 0. Two texts of one file that have the same key are
 * not to be expected in the time that anybody has. */
uint64_t cg2p_numbermap_key(const char* text);

#endif
