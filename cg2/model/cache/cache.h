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

#include "model/cache/geometry.h"
#include "model/cache/tags.h"

/* Sets of more ways: the slots of a set form a ring, from the one touched last
 * to the one touched longest ago, and a hash says where a line is. */
typedef struct CacheRings {
   UWord* lines;    /* of each slot */
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
   Tags tags;        /* of more than 16 ways only to know a line's set */
   ULong* orders;    /* of each set, its ways from the one touched last: see
                        order.h; NULL with more than 16 ways */
   UInt* tops;       /* of each set, the tag of the line touched last; with
                        TOP_ALONE, or TAG_NONE if it is empty, its tags and
                        order are not there yet. NULL: all are, and nobody knows
                        tops */
   CacheRings rings; /* if there are more */
   /* What the last touch did. A set's slots are neighbours. */
   UWord slot;    /* where the line is */
   UWord evicted; /* on a miss, what was there: a line, or CACHE_NONE */
} Cache;

/* Makes an empty cache. The geometry is one that cg2_geometry_check accepts. */
void cg2_cache_init(Cache* cache, const Geometry* geometry);

/* Of a cache that is much larger than what a program uses most touches are of
 * the line touched last in its set. If there are many sets, tops tell that by
 * one word, of which neighbours share a line of the host's cache; and sets in
 * which one line only is ever touched take no other memory. This lays out all
 * of them at once, without tops, for who looks at tags himself. */
void cg2_cache_lay_out(Cache* cache);

/* In a top: no other line of the set was ever touched. Tags of plain lines do
 * not have that bit, if there are tops. */
static const UInt TOP_ALONE = (UInt)1 << 31;

/* With few ways: tags and order words. With a stride of tags that the caller
 * knows; and with any. */
static inline __attribute__((always_inline)) Bool
cg2_cache_touch_seat(Cache* cache, Seat seat, const UInt stride, Bool says)
{
   const Tags tags = cache->tags;
   UInt* low = tags.low + seat.set * stride;
   ULong* at = &cache->orders[seat.set];
   ULong order = *at;
   UInt mask = cg2_simd_equal(low, stride, seat.tag);
   UInt way, place;
   if (mask) {
      way = __builtin_ctz(mask);
      place = cg2_order_find(order, way);
   } else {
      place = 4 * (tags.ways - 1);
      way = cg2_order_at(order, place);
      if (says) cache->evicted = cg2_tags_plain_line(&tags, seat.set, low[way]);
      low[way] = seat.tag;
   }
   *at = cg2_order_to_front(order, place, way);
   if (says) cache->slot = seat.set * tags.ways + way;
   return mask != 0;
}

Bool cg2_cache_touch_tags(Cache* cache, UWord line);

static inline Bool cg2_cache_is_laid_out(const Cache* cache, UWord set)
{
   return !cache->tops || !(cache->tops[set] & TOP_ALONE);
}

/* The slot of the line that was touched last in a set. */
static inline UWord cg2_cache_top_slot(const Cache* cache, UWord set)
{
   UInt way = cg2_cache_is_laid_out(cache, set)
                 ? cg2_order_at(cache->orders[set], 0)
                 : cache->ways - 1;
   return set * cache->ways + way;
}

/* Whether a plain line is the top of its set. */
static inline Bool cg2_cache_is_top(const Cache* cache, Seat seat)
{
   return (cache->tops[seat.set] & ~TOP_ALONE) == seat.tag;
}

/* One that is not becomes that. True: it is the first one there, and was
 * touched; if not, it is still to be. */
Bool cg2_cache_begin_set(Cache* cache, Seat seat);

/* With more. */
Bool cg2_cache_touch_ring(Cache* cache, UWord line);

/* True: the line is there. If not, it takes the place of the one in its set
 * that was not touched for longest. The first may be told not to say in `cache`
 * what it did. */
static inline __attribute__((always_inline)) Bool
cg2_cache_touch_saying(Cache* cache, UWord line, const Bool says)
{
   if (cg2_tags_is_plain(&cache->tags, line)) {
      Seat seat = cg2_tags_seat(&cache->tags, line);
      if (cache->tops) {
         Bool is_top = cg2_cache_is_top(cache, seat);
         if (is_top || cg2_cache_begin_set(cache, seat)) {
            if (says) cache->slot = cg2_cache_top_slot(cache, seat.set);
            return is_top;
         }
      }
      if (cache->tags.stride == 16)
         return cg2_cache_touch_seat(cache, seat, 16, says);
      if (cache->tags.stride == 8)
         return cg2_cache_touch_seat(cache, seat, 8, says);
   }
   return cache->orders ? cg2_cache_touch_tags(cache, line)
                        : cg2_cache_touch_ring(cache, line);
}

static inline Bool cg2_cache_touch(Cache* cache, UWord line)
{
   return cg2_cache_touch_saying(cache, line, True);
}

/* The line will be touched soon: the host may get what it needs for that. GCC
 * leaves out calls of a function that does no more than this. */
static inline __attribute__((always_inline)) void
cg2_cache_expect(const Cache* cache, UWord line)
{
   if (!cg2_tags_is_plain(&cache->tags, line)) return;
   UWord set = cg2_tags_seat(&cache->tags, line).set;
   if (cache->tops) {
      __builtin_prefetch(&cache->tops[set]);
      return;
   }
   __builtin_prefetch(&cache->tags.low[set * cache->tags.stride]);
   __builtin_prefetch(&cache->orders[set]);
}

/* As cg2_cache_touch if the line is there; else nothing happens. */
Bool cg2_cache_hit(Cache* cache, UWord line);

/* The slot of the line, or CACHE_NONE; without touching it. */
UWord cg2_cache_find(const Cache* cache, UWord line);

static inline Bool cg2_cache_has(const Cache* cache, UWord line)
{
   return cg2_cache_find(cache, line) != CACHE_NONE;
}

/* The line, which is there, is there no more; its slot is the first of its set
 * that is taken. */
void cg2_cache_remove(Cache* cache, UWord line);

/* The line of the same set that was touched last, or CACHE_NONE. */
UWord cg2_cache_newest(const Cache* cache, UWord line);

/* Forgets all lines. */
void cg2_cache_clear(Cache* cache);

static inline UWord cg2_cache_line(const Cache* cache, Addr addr)
{
   return addr >> cache->line_bits;
}

static inline UWord cg2_cache_slots(const Cache* cache)
{
   return cache->tags.n_sets * cache->ways;
}

#endif
