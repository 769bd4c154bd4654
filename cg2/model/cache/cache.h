/* A cache: which lines of memory a set-associative cache with least recently
 * used replacement holds.
 *
 * A line is known by its number, its address divided by the line size. It lies
 * in a slot and stays there until it is evicted; what else is known of lines is
 * kept by slot, by whoever knows it. An empty slot is never a hit: no line has
 * the number CACHE_NONE.
 *
 *    set 3 of a cache of 64 sets of four ways: slots 12 to 15
 *
 *    slot   12     13     14     15
 *    line   0x5c3  0x1003 0x83   empty        (as tags: see tags.h)
 *    order  way 1, way 0, way 2, way 3        (see order.h)
 *
 *    line 0x83 is touched:   it becomes the first in the order
 *    line 0x2003 is touched: it takes slot 15, whose way is the last
 *
 * There are two ways to keep this. With at most ORDER_WAYS ways a set has tags,
 * all compared at once, and an order word. With more ways its slots form a
 * ring, and a hash says where a line is.
 *
 * Most touches of a cache that is much larger than what a program uses are of
 * the line touched last in its set, the set's top. A cache with many sets, of
 * tags, knows its tops: one word for each set, of which neighbours share a line
 * of the host's cache. A set in which only one line was ever touched has no
 * more than its top: its tags and order word are laid out when a second line
 * comes.
 *
 * Owner: the level of a hierarchy. Lives until the process exits. */
#ifndef CG2_CACHE_H
#define CG2_CACHE_H

#include "model/cache/geometry.h"
#include "model/cache/tags.h"

/* Sets with more than ORDER_WAYS ways. The slots of a set form a ring, from the
 * slot touched last to the slot touched longest ago, which is a neighbour of
 * the first again. */
typedef struct CacheRings {
   UWord* lines;    /* [slot]: its line, or CACHE_NONE */
   UInt* newest;    /* [set]: the slot that was touched last */
   UInt* older;     /* [slot]: the slot touched before it, in its ring */
   UInt* newer;     /* [slot]: the slot touched after it, in its ring */
   UInt* buckets;   /* [hash]: the first slot plus 1, or 0 */
   UInt* chained;   /* [slot]: the next slot with this hash plus 1, or 0 */
   UWord n_buckets; /* a power of two */
} CacheRings;

typedef struct Cache {
   UInt line_bits; /* log2 of a line's bytes */
   UInt ways;
   Tags tags;        /* with rings only to know a line's set */
   ULong* orders;    /* [set]: an order word; NULL: the cache has rings */
   UInt* tops;       /* [set]: the tag of the line touched last, with TOP_ALONE
                        if the set is not laid out; or TAG_NONE, if it is empty
                        and not laid out. NULL: all sets are laid out, and tops
                        are not known */
   CacheRings rings; /* used only if there are no orders */
   /* What the last touch did. A set's slots are neighbours. */
   UWord slot;    /* where the line is */
   UWord evicted; /* on a miss, what was in the slot: a line, or CACHE_NONE */
} Cache;

/* Makes an empty cache of a geometry that cg2_geometry_check() accepts. */
void cg2_cache_init(Cache* cache, const Geometry* geometry);

/* Lays out all sets and forgets tops, for callers that look at tags. */
void cg2_cache_lay_out(Cache* cache);

/* In a top: no other line of the set was ever touched. The tags of plain lines
 * do not have this bit, if there are tops. */
static const UInt TOP_ALONE = (UInt)1 << 31;

/* cg2_cache_touch() of a plain line, in a set that is laid out, with a stride
 * of tags that the caller knows. Unless it `says` so, `cache` does not learn
 * the slot, nor what was evicted. */
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

/* cg2_cache_touch() of any line, in a cache with tags. */
Bool cg2_cache_touch_tags(Cache* cache, UWord line);

/* Whether a set, of a cache with tags, has its tags and order word. */
static inline Bool cg2_cache_is_laid_out(const Cache* cache, UWord set)
{
   return !cache->tops || !(cache->tops[set] & TOP_ALONE);
}

/* The slot of the line that was touched last in a set that is not empty, of a
 * cache with tags. */
static inline UWord cg2_cache_top_slot(const Cache* cache, UWord set)
{
   UInt way = cg2_cache_is_laid_out(cache, set)
                 ? cg2_order_at(cache->orders[set], 0)
                 : cache->ways - 1;
   return set * cache->ways + way;
}

/* Whether a plain line is the top of its set, in a cache with tops. */
static inline Bool cg2_cache_is_top(const Cache* cache, Seat seat)
{
   return (cache->tops[seat.set] & ~TOP_ALONE) == seat.tag;
}

/* cg2_cache_begin_set() of a set that has at most one line. */
Bool cg2_cache_begin_second(Cache* cache, Seat seat);

/* Makes a plain line, which is not the top of its set, the top. True: it is the
 * first line of its set, and was touched; False: the caller still has to touch
 * it. */
static inline Bool cg2_cache_begin_set(Cache* cache, Seat seat)
{
   UInt* top = &cache->tops[seat.set];
   if (*top & TOP_ALONE) return cg2_cache_begin_second(cache, seat);
   *top = seat.tag;
   return False;
}

/* cg2_cache_touch() in a cache with rings. */
Bool cg2_cache_touch_ring(Cache* cache, UWord line);

/* cg2_cache_touch_saying() of a plain line, whose seat the caller knows. */
static inline __attribute__((always_inline)) Bool
cg2_cache_touch_plain(Cache* cache, UWord line, Seat seat, const Bool says)
{
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
   return cache->orders ? cg2_cache_touch_tags(cache, line)
                        : cg2_cache_touch_ring(cache, line);
}

/* Touches a line: it becomes the newest of its set. True: the line was there.
 * False: it took the place of the line in its set that was not touched for
 * longest. If `says` is False, `cache` need not learn the slot, nor what was
 * evicted. */
static inline __attribute__((always_inline)) Bool
cg2_cache_touch_saying(Cache* cache, UWord line, const Bool says)
{
   if (cg2_tags_is_plain(&cache->tags, line))
      return cg2_cache_touch_plain(cache, line,
                                   cg2_tags_seat(&cache->tags, line), says);
   return cache->orders ? cg2_cache_touch_tags(cache, line)
                        : cg2_cache_touch_ring(cache, line);
}

/* Touches a line, as cg2_cache_touch_saying() does, and notes in `cache` what
 * that did. */
static inline Bool cg2_cache_touch(Cache* cache, UWord line)
{
   return cg2_cache_touch_saying(cache, line, True);
}

/* Lets the host get what it needs to touch a line soon. Inline, as GCC leaves
 * out calls of a function that does no more than this. */
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

/* Touches a line if it is there, as cg2_cache_touch() does. False: it is not
 * there, and nothing changes. */
Bool cg2_cache_hit(Cache* cache, UWord line);

/* The slot of a line, which is not touched, or CACHE_NONE. */
UWord cg2_cache_find(const Cache* cache, UWord line);

/* Whether a line is there. */
static inline Bool cg2_cache_has(const Cache* cache, UWord line)
{
   return cg2_cache_find(cache, line) != CACHE_NONE;
}

/* Removes a line, which lies in `slot`: the next slot of its set that a line
 * takes. */
void cg2_cache_remove(Cache* cache, UWord line, UWord slot);

/* The line that was touched last in the set of `line`, or CACHE_NONE. */
UWord cg2_cache_newest(const Cache* cache, UWord line);

/* Forgets all lines. */
void cg2_cache_clear(Cache* cache);

/* The line that an address lies in. */
static inline UWord cg2_cache_line(const Cache* cache, Addr addr)
{
   return addr >> cache->line_bits;
}

/* The number of slots. */
static inline UWord cg2_cache_slots(const Cache* cache)
{
   return cache->tags.n_sets * cache->ways;
}

#endif
