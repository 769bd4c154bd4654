/* Chance: a stream of numbers that only depends on the seed, and on what the
 * process has done before. All that asks the kernel or the processor for random
 * numbers gets them from here. */
#ifndef CG2_CHANCE_H
#define CG2_CHANCE_H

#include "base/vg.h"

/* Begins the stream that belongs to `seed`. */
void cg2_chance_begin(ULong seed);

ULong cg2_chance_next(void);
void cg2_chance_fill(void* to, SizeT n);

/* Makes a number of another, as good as by chance. */
ULong cg2_chance_mix(ULong word);

#endif
