/* Memory that is kept for the moment when there is no more.
 *
 * Valgrind ends a run where it gets no memory, and asks no tool before. So a
 * part of the address space is held by the tool and never touched, which takes
 * no memory but counts for limits as `ulimit -v` sets them. It is given back
 * when Valgrind is refused memory: then there is enough to write the profile.
 */
#ifndef CG2_RESERVE_H
#define CG2_RESERVE_H

#include "base/vg.h"

/* All zero: nothing is held. */
typedef struct Reserve {
   Addr start;    /* 0: nothing is held */
   SizeT size;    /* in bytes; 0: nothing is held */
   SizeT granted; /* bytes that Valgrind has been granted since the start */
   Bool is_given; /* it was given back, and is not taken again */
} Reserve;

/* Maps memory, as Valgrind does for itself. */
typedef SysRes MapMemory(SizeT size);

/* Valgrind was granted `size` bytes: from now on at least `percent` of all that
 * it was granted is held to write with, and 32 MiB for what is counted until
 * then. What Valgrind gives back is not taken off. */
void cg2_reserve_grow(Reserve* reserve,
                      SizeT size,
                      UInt percent,
                      MapMemory* map);

/* Gives it back, once. Answers whether there was something to give. */
Bool cg2_reserve_give(Reserve* reserve);

#endif
