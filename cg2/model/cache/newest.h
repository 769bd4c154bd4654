/* Newest lines: which accesses are known to change nothing in any of several
 * caches that are asked for the same lines.
 *
 * An access to the line that was touched last in its set is such an access. A
 * set of a cache with few sets is made of whole sets of a cache with more, so
 * what was touched last in the larger set was touched last in the smaller one.
 * So it is enough to know the newest line of each set of the cache with the
 * fewest sets:
 *
 *    caches of 64, 16 and 16 sets:  the 16 sets' newest lines are known
 *    caches with lines of different sizes, or sets that are no power of two:
 *                                   the newest line of all is known
 *
 * Newest lines have marks, so that generated code leaves the access out. */
#ifndef CG2_NEWEST_H
#define CG2_NEWEST_H

#include "model/cache/marks.h"

enum { NEWEST_SETS = 4096 }; /* the most sets whose newest lines are known */

typedef struct Newest {
   UInt line_bits;           /* of the smallest lines */
   UWord set_mask;           /* sets whose newest lines are known, less 1 */
   UInt nowhere;             /* where times are put down that nobody asks for */
   UWord lines[NEWEST_SETS]; /* [set]: its newest line, or CACHE_NONE */
   Mark marks[NEWEST_SETS];  /* the marks of these lines */
} Newest;

/* Makes a Newest, which must not move, for caches with lines of this size. */
void cg2_newest_init(Newest* newest, UInt line_bits);
/* Adds a cache. */
void cg2_newest_narrow(Newest* newest, UInt line_bits, ULong n_sets);
/* Forgets what was touched. */
void cg2_newest_clear(Newest* newest);

/* The table of marks. */
static inline Marks cg2_newest_marks(Newest* newest)
{
   return (Marks){newest->marks, NEWEST_SETS};
}

/* Makes a line the newest of its set. */
static inline void cg2_newest_touch(Newest* newest, UWord line)
{
   Marks marks = cg2_newest_marks(newest);
   UWord* last = &newest->lines[line & newest->set_mask];
   if (*last != CACHE_NONE) cg2_marks_at(marks, *last)->line = CACHE_NONE;
   cg2_marks_at(marks, line)->line = line << newest->line_bits;
   *last = line;
}

/* Makes all lines of an access the newest of their sets, in ascending order. */
static inline void cg2_newest_remember(Newest* newest, Addr addr, UInt size)
{
   UWord line = addr >> newest->line_bits;
   UWord last = (addr + size - 1) >> newest->line_bits;
   cg2_newest_touch(newest, line);
   while (line != last)
      cg2_newest_touch(newest, ++line);
}

#endif
