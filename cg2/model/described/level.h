/* A level: which lines one cache, or TLB, of a described processor holds, by
 * any policy of replacement, and what is known of each.
 *
 * Like `cache`, which does it if lines are replaced that were touched longest
 * ago, it knows lines by their number. A line lies in a slot until it goes.
 *
 * Owner: `memory`. Lives until the process exits. */
#ifndef CG2_LEVEL_H
#define CG2_LEVEL_H

#include "model/cache/cache.h"
#include "model/described/processor.h"

typedef enum LineMark {
   LINE_DIRTY = 1,
   LINE_PREFETCHED = 2, /* and not touched yet */
   LINE_OWNED = 4       /* no other core has it */
} LineMark;

/* SRRIP: how late a line is needed. */
enum { NEEDED_SOON = 0, NEEDED_LATE = 2, NEEDED_LAST = 3 };

typedef struct Level {
   Replacement replacement;
   Cache cache; /* its lines, if REPLACE_LRU; else these: */
   UInt ways;
   UWord n_sets;
   UWord* lines;    /* of each slot */
   UChar* marks;    /* of each slot: LineMark; also of `cache` */
   UChar* distance; /* SRRIP: of each slot, 0 to 3: how late it is needed */
   ULong* trees;    /* PLRU: of each set, a bit for each inner node; node 1 is
                       the root, 2n and 2n+1 are the halves of n; the bit is
                       the half that is replaced next */
   /* PLRU: of each way, the bits that a touch of it leaves, and those it sets
    */
   ULong *kept, *pointing;
   ULong* loaded; /* FIFO: of each slot, when, in lines loaded */
   ULong n_loaded;
   ULong chance, seed; /* random: the state of the generator, and its start */
   UWord n_empty;      /* slots without a line; not of `cache` */
   /* What the last touch did. */
   UWord slot;
   UWord evicted; /* on a miss: a line, or CACHE_NONE */
   UChar evicted_marks;
} Level;

/* Makes an empty level. The configuration is one that cg2_processor_check
 * accepts. */
void cg2_level_init(Level* level, const CacheConfig* config);

/* As cg2_level_touch of a line that is not there. */
void cg2_level_load(Level* level, UWord line);

static inline UWord cg2_level_set(const Level* level, UWord line)
{
   UWord mask = level->n_sets - 1;
   return level->n_sets & mask ? line % level->n_sets : line & mask;
}

/* Few ways are looked at all, as it is hard to guess which one it will be. */
static inline UWord
cg2_level_find_from(const Level* level, UWord first, UWord line)
{
   const UWord* lines = level->lines + first;
   UInt ways = level->ways, found = 0;
   if (ways > 16) {
      for (UInt way = 0; way < ways; way++)
         if (lines[way] == line) return first + way;
      return CACHE_NONE;
   }
   for (UInt way = 0; way < ways; way++)
      found |= (UInt)(lines[way] == line) << way;
   return found ? first + __builtin_ctz(found) : CACHE_NONE;
}

/* PLRU: the way was touched. */
static inline void cg2_level_point_away(Level* level, UWord set, UInt way)
{
   level->trees[set] =
      (level->trees[set] & level->kept[way]) | level->pointing[way];
}

/* As cg2_level_touch if the line is there; else nothing happens.
 * Inline, as most touches are hits of first levels that call nothing else. */
static inline Bool cg2_level_hit(Level* level, UWord line)
{
   if (level->replacement == REPLACE_LRU) {
      Bool is_hit = cg2_cache_hit(&level->cache, line);
      if (is_hit) level->slot = level->cache.slot;
      return is_hit;
   }
   UWord set = cg2_level_set(level, line);
   UWord first = set * level->ways;
   UWord slot = cg2_level_find_from(level, first, line);
   if (slot == CACHE_NONE) return False;
   level->slot = slot;
   if (level->replacement == REPLACE_PLRU)
      cg2_level_point_away(level, set, slot - first);
   else if (level->replacement == REPLACE_SRRIP)
      level->distance[slot] = NEEDED_SOON;
   return True;
}

/* True: the line is there. If not, it takes the place of another, without a
 * mark. */
static inline Bool cg2_level_touch(Level* level, UWord line)
{
   if (level->replacement != REPLACE_LRU) {
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

/* Where the line is, or CACHE_NONE; without touching it. */
UWord cg2_level_find(const Level* level, UWord line);

static inline Bool cg2_level_holds(const Level* level, UWord slot, UWord line)
{
   if (level->lines) return level->lines[slot] == line;
   return cg2_cache_find(&level->cache, line) == slot;
}

/* The line is there no more. Its marks; 0 if it was not there. */
UChar cg2_level_remove(Level* level, UWord line);

/* Forgets all lines; as new. */
void cg2_level_clear(Level* level);

/* Whether to touch the line that was touched last in its set, and is no new
 * one, changes nothing; to touch a new one may. */
static inline Bool cg2_level_learns_from_hit(const Level* level)
{
   return level->replacement == REPLACE_SRRIP;
}

#endif
