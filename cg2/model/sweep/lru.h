/* LRU stacks: which of several caches hold a line, found by one touch.
 *
 * Caches with the same line size and number of sets, with least recently used
 * replacement, hold in each set the lines that were touched there last; a
 * larger one holds all that a smaller one does. So all of them are one stack of
 * lines for each set, from the one touched last to the one touched longest ago,
 * and a cache of W ways has the first W. Source: Mattson, Gecsei, Slutz and
 * Traiger, Evaluation techniques for storage hierarchies, 1970.
 *
 *    caches of 2, 4 and 6 ways; lines were touched in the order F E D C B A
 *
 *    stack              A   B | C   D | E   F
 *    smallest with it   0   0 | 1   1 | 2   2
 *    last of cache          0       1       2
 *
 *    E is touched: caches 0 and 1 miss. E goes on top, and each of them loses
 *    its last line: B is in caches 1 and 2 now, D in cache 2 only.
 *
 * How far down a line lies does not matter, only which caches have it: each
 * line knows the smallest that does, and each set the line that is the last in
 * each cache. A touch moves these marks on by one, in the caches that missed,
 * and so takes no longer the larger the caches are. Source: Kim, Hill
 * and Wood, Implementing stack simulation for highly-associative memories,
 * 1991.
 *
 * Owner: a sweep. Lives until the process exits. */
#ifndef CG2_LRU_H
#define CG2_LRU_H

#include "base/vg.h"

/* A place in a stack. */
typedef struct LruPlace {
   UWord line;        /* the number of its line, or ~0 */
   UInt older, newer; /* neighbours; the ends of a stack are neighbours, too */
   UInt chained;      /* the next place with the same hash plus 1, or 0 */
   UInt smallest;     /* index of the smallest cache that has the line */
} LruPlace;

typedef struct Lru {
   UInt n; /* caches, from the smallest to the largest */
   UWord n_sets;
   UWord set_mask;   /* n_sets - 1 if n_sets is a power of two, else 0 */
   UWord ways;       /* of the largest cache */
   LruPlace* places; /* [n_sets][ways] */
   UInt* newest;     /* [set]: the place on top */
   UInt* lasts;      /* [set][cache]: the last place that the cache has */
   UInt* ends;       /* [cache]: its ways, less 1 */
   UInt* buckets;    /* [hash]: the first place plus 1, or 0 */
   UWord n_buckets;  /* a power of two */
} Lru;

/* Makes the empty stacks of `n` caches with these ways, which ascend. */
void cg2_lru_init(Lru* lru, UWord n_sets, const UInt* ways, UInt n);

/* Touches a line in all caches. Returns how many of them, the smallest, lacked
 * it; then all have it. */
UInt cg2_lru_touch(Lru* lru, UWord line);

/* Forgets all lines. */
void cg2_lru_clear(Lru* lru);

#endif
