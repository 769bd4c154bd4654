/* A marked cache: a cache whose hits generated code can make by itself.
 *
 * A line that is in the cache may have a mark, in a table at a fixed address,
 * at a place that the line's number says. A mark holds the line and where it is
 * put down when it was touched last. To touch a line that is marked is to put
 * the time down there: who does that need not know sets, ways or their order.
 * All other touches, such as those that miss or whose mark another line has,
 * are made here.
 *
 * Times are given from outside; each is later than those before.
 *
 * With more ways than are looked through at once, only the line that was
 * touched last in its set is marked: to touch that changes nothing. */
#ifndef CG2_MARKED_H
#define CG2_MARKED_H

#include "cache.h"

enum { MARKS = 4096 }; /* a power of two */

typedef struct Mark {
   UWord line;   /* its address; CACHE_NONE: no line is marked here */
   ULong* stamp; /* where the time of its last touch is; never NULL */
} Mark;

typedef struct MarkedCache {
   Cache cache;   /* up to 16 ways only its tags are used, not their order */
   Mark* marks;   /* [MARKS] */
   ULong* stamps; /* of each tag, when its line was touched last; 0: empty */
   ULong nowhere; /* where times are put that nobody asks for */
} MarkedCache;

/* Makes an empty cache, which must not move. The geometry is one that
 * cg2_geometry_check accepts; `marks` has MARKS entries. */
void cg2_marked_init(MarkedCache* m, const Geometry* geometry, Mark* marks);

/* As cg2_cache_touch. Behind it the line is marked. */
Bool cg2_marked_touch(MarkedCache* m, UWord line, ULong now);

/* Forgets all lines. */
void cg2_marked_clear(MarkedCache* m);

/* Where the mark of a line is, if it has one. */
static inline UWord cg2_marked_place(UWord line)
{
   return line & (MARKS - 1);
}

#endif
