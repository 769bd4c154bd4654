/* Which accesses are known to be hits that change nothing, in any of several
 * caches: those to lines that were touched last in their set, of sets that all
 * these caches agree on. Such lines have marks. */
#ifndef CG2_NEWEST_H
#define CG2_NEWEST_H

#include "model/cache/marked.h"

enum { NEWEST_SETS = 4096 };

typedef struct Newest {
   UInt line_bits;
   UWord set_mask;
   UInt nowhere;             /* where times are put that nobody asks for */
   UWord lines[NEWEST_SETS]; /* of each set, or CACHE_NONE */
   Mark marks[NEWEST_SETS];  /* a table */
} Newest;

/* For caches with lines of this size. It must not move. */
void cg2_newest_init(Newest* newest, UInt line_bits);
/* There is a cache like this, too. */
void cg2_newest_narrow(Newest* newest, UInt line_bits, ULong n_sets);
/* Nothing was touched. */
void cg2_newest_clear(Newest* newest);

static inline Marks cg2_newest_marks(Newest* newest)
{
   return (Marks){newest->marks, NEWEST_SETS};
}

static inline void cg2_newest_touch(Newest* newest, UWord line)
{
   Marks marks = cg2_newest_marks(newest);
   UWord* last = &newest->lines[line & newest->set_mask];
   if (*last != CACHE_NONE) cg2_marks_at(marks, *last)->line = CACHE_NONE;
   cg2_marks_at(marks, line)->line = line << newest->line_bits;
   *last = line;
}

/* All lines of an access are touched, in ascending order. */
static inline void cg2_newest_remember(Newest* newest, Addr addr, UInt size)
{
   UWord line = addr >> newest->line_bits;
   UWord last = (addr + size - 1) >> newest->line_bits;
   cg2_newest_touch(newest, line);
   while (line != last)
      cg2_newest_touch(newest, ++line);
}

#endif
