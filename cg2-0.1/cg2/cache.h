/* A cache: which lines of memory a set-associative cache with least recently
 * used replacement holds.
 *
 * A line is known by its number, its address divided by the line size. It lies
 * in a slot and stays there until it is evicted; what else is known of lines is
 * kept by slot, by whoever knows it. An empty slot is never a hit: no line has
 * the number that stands for none.
 *
 * Owner: the level of a hierarchy. Lives until the process exits. */
#ifndef CG2_CACHE_H
#define CG2_CACHE_H

#include "geometry.h"

/* No line, and the address of none. */
static const UWord CACHE_NONE = ~(UWord)0;

enum { CACHE_MRU_SETS = 4096 };

/* Sets of more ways than an order word has room for: the slots of a set form a
 * ring, from the one touched last to the one touched longest ago, and a hash
 * says where a line is. */
typedef struct CacheRings {
   UInt* newest;    /* of each set, the slot that was touched last */
   UInt* older;     /* of each slot, the next one in its ring */
   UInt* newer;     /* likewise, the one before */
   UInt* buckets;   /* of each hash the first slot plus 1, or 0 */
   UInt* chained;   /* of each slot the next one with this hash plus 1, or 0 */
   UWord n_buckets; /* a power of two */
} CacheRings;

typedef struct Cache {
   UInt line_bits;
   UInt ways;
   UWord n_sets;
   UWord set_mask;   /* n_sets - 1 if that is a mask */
   UWord reciprocal; /* if not: the largest multiple of n_sets that fits a word
                        has this factor; else 0 */
   UWord* lines;     /* of each slot; a set's slots are neighbours */
   ULong* orders;    /* of each set, up to 16 ways: its ways, 4 bits each, from
                        the one touched last; else NULL */
   CacheRings rings; /* if there are more ways */
   UWord* mru;       /* of each set, the address of the line touched last; or
                        NULL */
   /* What the last touch did. */
   UWord slot;    /* where the line is */
   UWord evicted; /* on a miss, what was there: a line, or CACHE_NONE */
} Cache;

/* Makes an empty cache. The geometry is one that cg2_geometry_check accepts. */
void cg2_cache_init(Cache* cache, const Geometry* geometry);

/* Keeps, in a table of CACHE_MRU_SETS entries, what was touched last in each
 * set: an access to a line whose address is at its set's index in the table is
 * a hit, and changes nothing. False, and no table, if the number of sets is too
 * large or no power of two. */
Bool cg2_cache_keep_mru(Cache* cache, UWord* mru);

/* True: the line is there. If not, it takes the place of the one in its set
 * that was not touched for longest. */
Bool cg2_cache_touch(Cache* cache, UWord line);

/* Whether the line is there, without touching it. */
Bool cg2_cache_has(const Cache* cache, UWord line);

/* Forgets all lines. */
void cg2_cache_clear(Cache* cache);

static inline UWord cg2_cache_line(const Cache* cache, Addr addr)
{
   return addr >> cache->line_bits;
}

static inline UWord cg2_cache_slots(const Cache* cache)
{
   return cache->n_sets * cache->ways;
}

#endif
