/* A marked cache: a cache whose hits generated code can make by itself.
 *
 * A line that is in the cache may have a mark, in a table at a fixed address,
 * at a place that the line's number says. A mark holds the line and where it is
 * put down when it was touched last. To touch a line that is marked is to put
 * the time down there: who does that need not know sets, ways or their order.
 * All other touches, such as those that miss or whose mark another line has,
 * are made here.
 *
 * Times are given from outside, each later than those before of other lines of
 * the set. Here nobody knows the time: a line that is touched becomes the
 * newest of its set, if it is not that, by a time one later than that of the
 * one that was. So between two times that are given, as many touches can be
 * made here as there are ticks.
 *
 * With more ways than are looked through at once, only the line that was
 * touched last in its set is marked: to touch that changes nothing. */
#ifndef CG2_MARKED_H
#define CG2_MARKED_H

#include "model/cache/cache.h"
#include "model/cache/stamps.h"

typedef struct Mark {
   UWord line;  /* its address; CACHE_NONE: no line is marked here */
   UInt* stamp; /* where the time of its last touch is; never NULL */
} Mark;

/* A table of them. */
typedef struct Marks {
   Mark* of;
   UWord n; /* a power of two */
} Marks;

/* Those of the process's first levels. Lines whose marks have the same place
 * take it from each other. */
Marks cg2_marks_of_code(void);
Marks cg2_marks_of_data(void);
/* As many as of data, of lines that are known to be written: their stamps say
 * nothing. */
Marks cg2_marks_of_written(void);

typedef struct MarkedCache {
   Cache cache; /* up to 16 ways only its tags are used, not their order */
   Marks marks;
   UInt* stamps; /* of each tag */
   UInt nowhere; /* where times are put that nobody asks for */
} MarkedCache;

/* Makes an empty cache, which must not move. The geometry is one that
 * cg2_geometry_check accepts. */
void cg2_marked_init(MarkedCache* m, const Geometry* geometry, Marks marks);

/* Forgets all lines. */
void cg2_marked_clear(MarkedCache* m);
/* Times, which stay below STAMP_NONE, begin anew: whatever is given from now on
 * is later than those before. */
void cg2_marked_renumber(MarkedCache* m);

/* Where the mark of a line is, if it has one. */
static inline Mark* cg2_marks_at(Marks marks, UWord line)
{
   return &marks.of[line & (marks.n - 1)];
}

static inline Mark* cg2_marked_mark(const MarkedCache* m, UWord line)
{
   return cg2_marks_at(m->marks, line);
}

static inline Bool cg2_marks_have(Marks marks, UWord line, UInt line_bits)
{
   return cg2_marks_at(marks, line)->line == line << line_bits;
}

static inline Bool cg2_marked_has_mark(const MarkedCache* m, UWord line)
{
   return cg2_marks_have(m->marks, line, m->cache.line_bits);
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

/* Likewise, of a line that is evicted: nobody will put a time there. */
static inline void cg2_marks_evict(Marks marks, UWord line, UInt line_bits)
{
   Mark* of = cg2_marks_at(marks, line);
   of->line |= -(UWord)(of->line == line << line_bits);
}

static inline void cg2_marked_put(MarkedCache* m, UWord line, UInt* stamp)
{
   *cg2_marked_mark(m, line) = (Mark){line << m->cache.line_bits, stamp};
}

/* A plain line takes the place of the one in its set that was not touched for
 * longest, and is marked. `low` and `stamps` are those of the set. */
static inline __attribute__((always_inline)) void
cg2_marked_load(Marks marks,
                UInt* low,
                UInt* stamps,
                UWord n_sets,
                UWord line,
                Seat seat,
                const UInt stride,
                UInt line_bits)
{
   UInt way = cg2_stamps_oldest(stamps, stride);
   /* That of an empty way is no line; a mark may go at any time. */
   UWord old = (UWord)low[way] * n_sets + seat.set;
   cg2_marks_evict(marks, old, line_bits);
   low[way] = seat.tag;
   *cg2_marks_at(marks, line) = (Mark){line << line_bits, &stamps[way]};
}

/* True if the line is there; if not, it is loaded. Behind it the line is
 * marked, but its time is still to be put there. Of a plain line, of a cache
 * whose shape the caller knows. What does not change is read once: for all that
 * the compiler knows, a store might. */
static inline __attribute__((always_inline)) Bool
cg2_marked_find_plain(MarkedCache* m,
                      UWord line,
                      Seat seat,
                      UWord n_sets,
                      const UInt stride,
                      UInt line_bits)
{
   const Marks marks = m->marks;
   UInt* low = m->cache.tags.low + seat.set * stride;
   UInt* stamps = m->stamps + seat.set * stride;
   UInt mask = cg2_simd_equal(low, stride, seat.tag);
   if (!mask) {
      cg2_marked_load(marks, low, stamps, n_sets, line, seat, stride,
                      line_bits);
      return False;
   }
   *cg2_marks_at(marks, line) =
      (Mark){line << line_bits, &stamps[__builtin_ctz(mask)]};
   return True;
}

Bool cg2_marked_find_any(MarkedCache* m, UWord line);

static inline __attribute__((always_inline)) Bool
cg2_marked_find(MarkedCache* m, UWord line)
{
   if (cg2_tags_is_plain(&m->cache.tags, line)) {
      const Tags tags = m->cache.tags;
      UInt line_bits = m->cache.line_bits;
      Seat seat = cg2_tags_seat(&tags, line);
      if (tags.stride == 8)
         return cg2_marked_find_plain(m, line, seat, tags.n_sets, 8, line_bits);
      if (tags.stride == 16)
         return cg2_marked_find_plain(m, line, seat, tags.n_sets, 16,
                                      line_bits);
   }
   return cg2_marked_find_any(m, line);
}

/* Most first levels have ways as large as a page, 4 KB, in lines of 64 bytes,
 * so that the host need not wait for a translation: a cache of that shape. */
enum { USUAL_LINE_BITS = 6, USUAL_SET_BITS = 6 };

static inline Bool cg2_marked_is_usual(const MarkedCache* m)
{
   const Tags* tags = &m->cache.tags;
   return m->cache.orders && m->cache.line_bits == USUAL_LINE_BITS &&
          tags->n_sets == 1 << USUAL_SET_BITS && tags->stride >= 8;
}

/* As cg2_marked_find of a plain line, of a usual cache with that stride. */
static inline __attribute__((always_inline)) Bool
cg2_marked_find_usual(MarkedCache* m, UWord line, const UInt stride)
{
   UInt set = line & ((1 << USUAL_SET_BITS) - 1);
   return cg2_marked_find_plain(m, line, (Seat){set, line >> USUAL_SET_BITS},
                                1 << USUAL_SET_BITS, stride, USUAL_LINE_BITS);
}

/* As cg2_cache_touch. Behind it the line is marked. */
Bool cg2_marked_touch(MarkedCache* m, UWord line);

#endif
