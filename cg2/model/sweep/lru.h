/* LRU stacks: which of several caches hold a line, found by one touch.
 *
 * Caches with the same line size and number of sets, with least recently used
 * replacement, hold in each set the lines that were touched there last; a
 * larger one holds all that a smaller one does. So all of them are one stack of
 * lines for each set, from the one touched last to the one touched longest ago,
 * and a cache of W ways has the first W. Source: Mattson, Gecsei, Slutz and
 * Traiger, Evaluation techniques for storage hierarchies, 1970.
 *
 * How far down a line lies does not matter, only which caches have it: each
 * line knows the smallest that does, and each set the line that is the last in
 * each cache. A touch moves those last ones on by one, in the caches that
 * missed, and so takes no longer the larger the caches are. Source: Kim, Hill
 * and Wood, Implementing stack simulation for highly-associative memories,
 * 1991.
 *
 * Owner: a sweep. Lives until the process exits. */
#ifndef CG2_LRU_H
#define CG2_LRU_H

#include "base/vg.h"

/* A place in a stack. */
typedef struct LruPlace {
   UWord line;        /* its number; or none */
   UInt older, newer; /* neighbours; the ends of a stack are neighbours, too */
   UInt chained;      /* the next with the same hash plus 1, or 0 */
   UInt smallest;     /* index of the smallest cache that has the line */
} LruPlace;

typedef struct Lru {
   UInt n; /* caches, from the smallest to the largest */
   UWord n_sets;
   UWord set_mask;   /* n_sets - 1 if that is a mask, else 0 */
   UWord ways;       /* of the largest cache */
   LruPlace* places; /* [n_sets][ways] */
   UInt* newest;     /* of each set */
   UInt* lasts;      /* [n_sets][n]: the last place that each cache has */
   UInt* ends;       /* [n]: ways of each cache, less 1 */
   UInt* buckets;    /* of each hash the first place plus 1, or 0 */
   UWord n_buckets;  /* a power of two */
} Lru;

/* Makes the empty stacks of `n` caches with these ways, which ascend. */
void cg2_lru_init(Lru* lru, UWord n_sets, const UInt* ways, UInt n);

/* How many of the caches do not have the line: the smallest ones. Then all
 * have. */
UInt cg2_lru_touch(Lru* lru, UWord line);

/* Forgets all lines. */
void cg2_lru_clear(Lru* lru);

#endif
