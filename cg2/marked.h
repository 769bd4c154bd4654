/* A marked cache: a cache whose hits generated code can make by itself.
 *
 * A line that is in the cache may have a mark, in a table at a fixed address,
 * at a place that the line's number says. A mark holds the line and where it is
 * put down when it was touched last. To touch a line that is marked is to put
 * the time down there: who does that need not know sets, ways or their order.
 * All other touches, such as those that miss or whose mark another line has,
 * are made here.
 *
 * Times are given from outside, each later than those before. Here nobody knows
 * the time: a line that is touched becomes the newest of its set by a time one
 * later than that of the one that was. So between two times that are given, as
 * many touches can be made here as there are ticks.
 *
 * With more ways than are looked through at once, only the line that was
 * touched last in its set is marked: to touch that changes nothing. */
#ifndef CG2_MARKED_H
#define CG2_MARKED_H

#include "cache.h"
#include "stamps.h"

enum { MARKS = 4096 }; /* a power of two */

typedef struct Mark {
   UWord line;  /* its address; CACHE_NONE: no line is marked here */
   UInt* stamp; /* where the time of its last touch is; never NULL */
} Mark;

typedef struct MarkedCache {
   Cache cache;  /* up to 16 ways only its tags are used, not their order */
   Mark* marks;  /* [MARKS] */
   UInt* stamps; /* of each tag */
   UInt nowhere; /* where times are put that nobody asks for */
} MarkedCache;

/* Makes an empty cache, which must not move. The geometry is one that
 * cg2_geometry_check accepts; `marks` has MARKS entries. */
void cg2_marked_init(MarkedCache* m, const Geometry* geometry, Mark* marks);

/* Forgets all lines. */
void cg2_marked_clear(MarkedCache* m);
/* Times, which stay below STAMP_NONE, begin anew: whatever is given from now on
 * is later than those before. */
void cg2_marked_renumber(MarkedCache* m);

/* Where the mark of a line is, if it has one. */
static inline UWord cg2_marked_place(UWord line)
{
   return line & (MARKS - 1);
}

static inline Mark* cg2_marked_mark(const MarkedCache* m, UWord line)
{
   return &m->marks[cg2_marked_place(line)];
}

/* The line loses its mark, if it has one. Without a branch, as that would wait
 * for the mark to be loaded. */
static inline void cg2_marked_hide(MarkedCache* m, UWord line)
{
   Mark* of = cg2_marked_mark(m, line);
   Bool has_it = of->line == line << m->cache.line_bits;
   of->stamp = has_it ? &m->nowhere : of->stamp;
   of->line |= -(UWord)has_it;
}

/* Of few ways: True if the line is there; if not, it takes the place of the one
 * that was not touched for longest. Behind it the line is marked, but its time
 * is still to be put there. */
static inline Bool cg2_marked_find_few(MarkedCache* m, UWord line)
{
   Tags* tags = &m->cache.tags;
   Seat seat = cg2_tags_seat(tags, line);
   UInt* stamps = m->stamps + seat.set * tags->stride;
   UInt way = cg2_tags_find(tags, seat);
   Bool is_hit = way != NO_WAY;
   if (!is_hit) {
      way = cg2_stamps_oldest(stamps, tags->stride);
      UWord old = cg2_tags_line(tags, seat.set, way);
      if (old != CACHE_NONE) cg2_marked_hide(m, old);
      cg2_tags_put(tags, seat, way);
   }
   *cg2_marked_mark(m, line) = (Mark){line << m->cache.line_bits, &stamps[way]};
   return is_hit;
}

/* Of more ways than are looked through: likewise, but there is no time to be
 * put. */
Bool cg2_marked_find_many(MarkedCache* m, UWord line);

static inline Bool cg2_marked_find(MarkedCache* m, UWord line)
{
   return m->cache.orders ? cg2_marked_find_few(m, line)
                          : cg2_marked_find_many(m, line);
}

/* As cg2_cache_touch. Behind it the line is marked. */
Bool cg2_marked_touch(MarkedCache* m, UWord line);

#endif
