/* A marked cache: a cache whose hits generated code can make by itself.
 *
 * A line that is in the cache may have a mark: see marks.h. To touch a line
 * that is marked is to put the time down where its mark says: who does that
 * need not know sets, ways or their order. All other touches, such as those
 * that miss or whose mark another line has, are made here.
 *
 *    generated code                          this module
 *
 *    mark = marks[line]
 *    is mark->line the line's address?
 *      yes: *mark->stamp = now               (nothing to do)
 *      no:  calls cg2_marked_find  --------> finds or loads the line, marks it
 *           *mark->stamp = now
 *
 * Times are given from outside, each later than those before of other lines of
 * the set. Here nobody knows the time: a line that cg2_marked_touch() touches
 * becomes the newest of its set, if it is not that, by a time one later than
 * that of the line that was. So between two times that are given, as many
 * touches can be made here as there are ticks.
 *
 * With more ways than are looked through at once (NO_WAY), only the line that
 * was touched last in its set is marked: to touch that line changes nothing. */
#ifndef CG2_MARKED_H
#define CG2_MARKED_H

#include "model/cache/cache.h"
#include "model/cache/marks.h"
#include "model/cache/stamps.h"

typedef struct MarkedCache {
   Cache cache;  /* with few ways only its tags are used, not its order words */
   Marks marks;  /* of lines that are in the cache */
   UInt* stamps; /* [as tags]: of each way the time of its line's last touch;
                    NULL: there are many ways, and no times */
   UInt nowhere; /* where times are put down that nobody asks for */
} MarkedCache;

/* Makes an empty cache, which must not move. The geometry is one that
 * cg2_geometry_check() accepts. */
void cg2_marked_init(MarkedCache* m, const Geometry* geometry, Marks marks);

/* Forgets all lines. */
void cg2_marked_clear(MarkedCache* m);

/* Lets times, which stay below STAMP_NONE, begin anew behind NO_WAY: the lines
 * of each set get times from 1 to NO_WAY, in the order that they have. */
void cg2_marked_renumber(MarkedCache* m);

/* The place of a line's mark. */
static inline Mark* cg2_marked_mark(const MarkedCache* m, UWord line)
{
   return cg2_marks_at(m->marks, line);
}

static inline Bool cg2_marked_has_mark(const MarkedCache* m, UWord line)
{
   return cg2_marks_have(m->marks, line, m->cache.line_bits);
}

/* Takes the mark away from a line, if it has one; a time that is put down at
 * its place after that goes nowhere. Without a branch, as a branch would wait
 * for the mark to be loaded. */
static inline void cg2_marked_hide(MarkedCache* m, UWord line)
{
   Mark* of = cg2_marked_mark(m, line);
   Bool has_it = of->line == line << m->cache.line_bits;
   of->stamp = has_it ? &m->nowhere : of->stamp;
   of->line |= -(UWord)has_it;
}

/* Marks a line, whose time is at `stamp`. */
static inline void cg2_marked_put(MarkedCache* m, UWord line, UInt* stamp)
{
   *cg2_marked_mark(m, line) = (Mark){line << m->cache.line_bits, stamp};
}

/* What of a cache the caller of an inline function may know as constants. */
typedef struct MarkedShape {
   UWord n_sets;
   UInt stride; /* of tags and stamps: 8 or 16 */
   UInt line_bits;
} MarkedShape;

/* A set of a cache, as it is read once: for all that the compiler knows, a
 * store might change what the cache says. */
typedef struct MarkedSet {
   Marks marks;
   UInt* low;    /* [way]: lower halves of tags */
   UInt* stamps; /* [way] */
} MarkedSet;

/* Puts a plain line in the place of the one in its set that was not touched for
 * longest, and marks it. */
static inline __attribute__((always_inline)) void cg2_marked_load(
   const MarkedSet set, UWord line, Seat seat, const MarkedShape shape)
{
   UInt way = cg2_stamps_oldest(set.stamps, shape.stride);
   /* An empty way's tag gives a number that no line has; and any mark may be
      taken away at any time. */
   UWord old = (UWord)set.low[way] * shape.n_sets + seat.set;
   cg2_marks_evict(set.marks, old, shape.line_bits);
   set.low[way] = seat.tag;
   *cg2_marks_at(set.marks, line) =
      (Mark){line << shape.line_bits, &set.stamps[way]};
}

/* Finds or loads a plain line, and marks it; the caller puts its time down.
 * True: the line was there. */
static inline __attribute__((always_inline)) Bool cg2_marked_find_plain(
   MarkedCache* m, UWord line, Seat seat, const MarkedShape shape)
{
   const MarkedSet set = {m->marks, m->cache.tags.low + seat.set * shape.stride,
                          m->stamps + seat.set * shape.stride};
   UInt mask = cg2_simd_equal(set.low, shape.stride, seat.tag);
   if (!mask) {
      cg2_marked_load(set, line, seat, shape);
      return False;
   }
   *cg2_marks_at(set.marks, line) =
      (Mark){line << shape.line_bits, &set.stamps[__builtin_ctz(mask)]};
   return True;
}

/* cg2_marked_find() of any line, in a cache of any shape. */
Bool cg2_marked_find_any(MarkedCache* m, UWord line);

/* Finds or loads a line, and marks it; the caller puts its time down. True: the
 * line was there. */
static inline __attribute__((always_inline)) Bool
cg2_marked_find(MarkedCache* m, UWord line)
{
   if (cg2_tags_is_plain(&m->cache.tags, line)) {
      const Tags tags = m->cache.tags;
      UInt line_bits = m->cache.line_bits;
      Seat seat = cg2_tags_seat(&tags, line);
      if (tags.stride == 8)
         return cg2_marked_find_plain(m, line, seat,
                                      (MarkedShape){tags.n_sets, 8, line_bits});
      if (tags.stride == 16)
         return cg2_marked_find_plain(
            m, line, seat, (MarkedShape){tags.n_sets, 16, line_bits});
   }
   return cg2_marked_find_any(m, line);
}

/* A *usual* first level: its ways are as large as a page, 4 KB, so that the
 * host need not wait for a translation, and its lines have 64 bytes. */
enum { USUAL_LINE_BITS = 6, USUAL_SET_BITS = 6 };

static inline Bool cg2_marked_is_usual(const MarkedCache* m)
{
   const Tags* tags = &m->cache.tags;
   return m->cache.orders && m->cache.line_bits == USUAL_LINE_BITS &&
          tags->n_sets == 1 << USUAL_SET_BITS && tags->stride >= 8;
}

/* cg2_marked_find() of a plain line, in a usual cache with that stride. */
static inline __attribute__((always_inline)) Bool
cg2_marked_find_usual(MarkedCache* m, UWord line, const UInt stride)
{
   UInt set = line & ((1 << USUAL_SET_BITS) - 1);
   return cg2_marked_find_plain(
      m, line, (Seat){set, line >> USUAL_SET_BITS},
      (MarkedShape){1 << USUAL_SET_BITS, stride, USUAL_LINE_BITS});
}

/* Sees to it that a plain line of a usual cache with that stride is marked.
 * True: it was there. */
static inline __attribute__((always_inline)) Bool
cg2_marked_have_usual(MarkedCache* m, UWord line, const UInt stride)
{
   return cg2_marked_has_mark(m, line) ||
          cg2_marked_find_usual(m, line, stride);
}

/* Puts a time down for a marked line that makes it the newest of its set. */
static inline void
cg2_marked_make_newest(MarkedCache* m, UWord line, UWord set, Bool was_there)
{
   const Tags* tags = &m->cache.tags;
   UInt newest = cg2_stamps_newest(m->stamps + set * tags->stride, tags->ways);
   UInt* stamp = cg2_marked_mark(m, line)->stamp;
   if (!was_there || *stamp != newest) *stamp = newest + 1;
}

/* cg2_marked_touch() of a plain line, in a usual cache with that stride. */
static inline __attribute__((always_inline)) Bool
cg2_marked_touch_usual(MarkedCache* m, UWord line, const UInt stride)
{
   Bool is_hit = cg2_marked_have_usual(m, line, stride);
   cg2_marked_make_newest(m, line, line & ((1 << USUAL_SET_BITS) - 1), is_hit);
   return is_hit;
}

/* Makes a line the newest of its set, which it is loaded into if it is not
 * there, and marks it. True: the line was there. */
Bool cg2_marked_touch(MarkedCache* m, UWord line);

#endif
