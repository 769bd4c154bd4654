/* A level: which lines one cache, or TLB, of a described processor holds, by
 * any policy of replacement, and what is known of each.
 *
 * A line is known by its number, and lies in a slot until it goes. With least
 * recently used replacement a Cache holds the lines, unless generated code
 * touches lines, too: then, and with any other policy, they are here, and the
 * policy decides which way of a full set is replaced:
 *
 *    LRU: each way has a stamp, the time at which it was touched last
 *    PLRU, ways 0 to 3: each node of a tree points to the half that is older
 *
 *             1: right            way 0 was touched last, way 1 before, way 2
 *            /        \           before that: node 1 points away from 0 and 1,
 *       2: right     3: right     node 2 away from 0, node 3 away from 2, so
 *        /    \       /    \      that way 3 is replaced next
 *       0     [1]    2     [3]
 *
 *    SRRIP: each way has a distance; a way at the largest distance is replaced
 *    FIFO: each way knows when its line was loaded
 *
 * Owner: a Node of `memorysetup`. Lives until the process exits. */
#ifndef CG2_LEVEL_H
#define CG2_LEVEL_H

#include "model/cache/cache.h"
#include "model/described/processor.h"

typedef enum LineMark {
   LINE_DIRTY = 1,      /* to be written when the line goes */
   LINE_PREFETCHED = 2, /* nobody has asked for the line yet */
   LINE_OWNED = 4,      /* no other core has the line */
   LINE_BROUGHT = 8 /* times 1 << depth: a prefetched line that this level and
                       this prefetch alone have kept from missing there */
} LineMark;

/* SRRIP, a line's distance: how late it is expected to be needed. */
enum { NEEDED_SOON = 0, NEEDED_LATE = 2, NEEDED_LAST = 3 };

/* What a touch of a line that is there changes. */
typedef enum Touching {
   TOUCH_UNKNOWN, /* what only this module can change */
   TOUCH_NOTHING, /* FIFO, random: nothing */
   TOUCH_BITS,    /* PLRU: bits of its set's tree; SRRIP: its distance */
   TOUCH_STAMP    /* LRU: the stamp of its slot */
} Touching;

/* The bits of a word of 32 that a touch of a line that is there changes. */
typedef struct TouchBits {
   UInt* word;
   UInt kept; /* the bits that the touch leaves alone, */
   UInt set;  /* and those that it sets */
} TouchBits;

typedef struct CacheLevel {
   Replacement replacement;
   UInt ways;
   UInt row; /* how many ways are compared at once, as a row of simd.h: all of a
                set, or a part of which it has a whole number; or 1 */
   UWord n_sets;
   UWord plain_end; /* lines below are plain: their lower halves tell them, and
                       those of a set are one row; 0: no line is */
   UInt* low;       /* [slot]: the lower half of its line, or of CACHE_NONE;
                       NULL: the lines are in `cache` */
   UInt* high;      /* [slot]: the upper half; NULL: it is 0 for all lines */
   UInt* stamps;    /* LRU: [slot]: the time of its line's last touch; NULL:
                       `cache` knows the order */
   UInt now;        /* LRU with stamps: the time of the next touch */
   UChar* marks;    /* [slot]: LineMarks of its line */
   UChar* distance; /* SRRIP: [slot]: NEEDED_SOON to NEEDED_LAST */
   ULong* trees;    /* PLRU: [set]: a bit for each inner node. Node 1 is the
                       root, 2n and 2n+1 are the halves of node n; the bit says
                       which half is replaced next */
   ULong* kept;     /* PLRU: [way]: the bits that a touch of it leaves alone */
   ULong* pointing; /* PLRU: [way]: the bits that a touch of it sets */
   ULong* loaded;   /* FIFO: [slot]: n_loaded when its line came */
   ULong n_loaded;  /* FIFO: lines loaded so far */
   ULong chance;    /* random: the state of the generator */
   ULong seed;      /* random: what the state is at the start */
   UWord n_empty;   /* slots without a line; not counted with LRU */
   /* What the last touch did. */
   UWord slot;          /* where the line is */
   UWord evicted;       /* on a miss, what was there: a line, or CACHE_NONE */
   UChar evicted_marks; /* the LineMarks of that line */
   Cache cache;         /* LRU without stamps: the lines */
} CacheLevel;

/* Makes an empty level of a configuration that cg2_processor_check() accepts.
 * `is_stamped`: with LRU it has stamps. Times are given from outside, in `now`,
 * each later than those before of other lines of the set. */
void cg2_level_init(CacheLevel* level,
                    const CacheConfig* config,
                    Bool is_stamped);

/* What touches of a level's lines change. */
Touching cg2_level_touching(const CacheLevel* level);

/* SRRIP: the bits of a slot's distance in its word. */
TouchBits cg2_level_distance_bits(const CacheLevel* level, UWord slot);

/* PLRU: the bits of a set's tree, in its lower half, which has all of them. */
static inline TouchBits cg2_level_tree_bits(const CacheLevel* level, UWord slot)
{
   UWord set = slot >> __builtin_ctz(level->ways);
   UWord way = slot & (level->ways - 1);
   return (TouchBits){(UInt*)&level->trees[set], level->kept[way],
                      level->pointing[way]};
}

/* With TOUCH_BITS: what a touch of the line in `slot` changes. */
static inline TouchBits cg2_level_touch_bits(const CacheLevel* level,
                                             UWord slot)
{
   return level->distance ? cg2_level_distance_bits(level, slot)
                          : cg2_level_tree_bits(level, slot);
}

/* Whether a line that was touched, and lies in `slot`, may be touched again at
 * the same time without a change. */
static inline Bool cg2_level_may_repeat(const CacheLevel* level, UWord slot)
{
   return !level->distance || level->distance[slot] == NEEDED_SOON;
}

/* Lets times begin anew behind the number of ways: the lines of each set get
 * times from 1 to that number, in the order that they have. */
void cg2_level_renumber(CacheLevel* level);

/* Loads a line that is not there, as cg2_level_touch() does. */
void cg2_level_load(CacheLevel* level, UWord line);

/* The set of a line. */
static inline UWord cg2_level_set(const CacheLevel* level, UWord line)
{
   UWord mask = level->n_sets - 1;
   return level->n_sets & mask ? line % level->n_sets : line & mask;
}

/* The line in a slot, or CACHE_NONE, of a level that has lines. */
static inline UWord cg2_level_line(const CacheLevel* level, UWord slot)
{
   ULong low = level->low[slot];
   if (__builtin_expect(level->high != NULL, 0))
      low |= (ULong)level->high[slot] << 32;
   else if (low == TAG_NONE)
      return CACHE_NONE;
   return low;
}

/* The first slot with a lower half, of the set that begins at slot `first`, or
 * CACHE_NONE; in a level with plain lines. */
static inline UWord
cg2_level_find_half(const CacheLevel* level, UWord first, UInt low)
{
   UInt alike = cg2_simd_equal(level->low + first, level->ways, low);
   return alike ? first + __builtin_ctz(alike) : CACHE_NONE;
}

/* PLRU: makes the tree of a set point away from a way, which was touched. */
static inline void cg2_level_point_away(CacheLevel* level, UWord set, UInt way)
{
   level->trees[set] =
      (level->trees[set] & level->kept[way]) | level->pointing[way];
}

/* Notes that the line in a slot of a set was touched, of a level that has
 * lines. */
static inline void cg2_level_note_hit(CacheLevel* level, UWord set, UWord slot)
{
   level->slot = slot;
   if (level->replacement == REPLACE_PLRU)
      cg2_level_point_away(level, set, slot - set * level->ways);
   else if (level->replacement == REPLACE_LRU)
      level->stamps[slot] = level->now;
   else if (level->replacement == REPLACE_SRRIP)
      level->distance[slot] = NEEDED_SOON;
}

/* cg2_level_hit() of any line. */
Bool cg2_level_hit_any(CacheLevel* level, UWord line);

/* Touches a line if it is there, as cg2_level_touch() does. False: it is not
 * there, and nothing changes. Calls nothing else for a plain line, so that it
 * needs few registers. */
static inline Bool cg2_level_hit(CacheLevel* level, UWord line)
{
   if (line >= level->plain_end) return cg2_level_hit_any(level, line);
   UWord set = cg2_level_set(level, line);
   UWord slot = cg2_level_find_half(level, set * level->ways, line);
   if (slot == CACHE_NONE) return False;
   cg2_level_note_hit(level, set, slot);
   return True;
}

/* Touches a line. True: it was there. False: it took the place of another line,
 * and has no LineMark yet. */
static inline Bool cg2_level_touch(CacheLevel* level, UWord line)
{
   if (level->low) {
      if (cg2_level_hit(level, line)) return True;
      cg2_level_load(level, line);
      return False;
   }
   Bool is_hit = cg2_cache_touch(&level->cache, line);
   level->slot = level->cache.slot;
   if (is_hit) return True;
   level->evicted = level->cache.evicted;
   level->evicted_marks = level->marks[level->slot];
   level->marks[level->slot] = 0;
   return False;
}

/* cg2_level_find() of any line. */
UWord cg2_level_find_any(const CacheLevel* level, UWord line);

/* The slot of a line, which is not touched, or CACHE_NONE. */
static inline UWord cg2_level_find(const CacheLevel* level, UWord line)
{
   if (line >= level->plain_end) return cg2_level_find_any(level, line);
   UWord first = cg2_level_set(level, line) * level->ways;
   return cg2_level_find_half(level, first, line);
}

/* Whether a line is in a slot. */
static inline Bool
cg2_level_holds(const CacheLevel* level, UWord slot, UWord line)
{
   if (level->low) return cg2_level_line(level, slot) == line;
   return cg2_cache_find(&level->cache, line) == slot;
}

/* Removes a line, which lies in `slot`. Returns its marks. */
UChar cg2_level_remove(CacheLevel* level, UWord line, UWord slot);

/* Forgets all lines, so that the level is as new. */
void cg2_level_clear(CacheLevel* level);

#endif
