/* Nested caches: caches with the same ways, of which each has twice as many
 * sets as the one before.
 *
 * The lines of a set are parted among two sets of the next cache, so that each
 * cache has all lines that a smaller one does; with least recently used
 * replacement that stays so. Source: Hill and Smith, Evaluating associativity
 * in CPU caches, 1989.
 *
 * So a line is looked for in the largest only. It knows when it was touched
 * last, for all of them, and the smallest that has it. The smaller ones know
 * which lines they have, by their places in the largest, and look at the times
 * when one has to go: a touch that hits in all of them writes one time.
 *
 * Owner: a sweep. Lives until the process exits. */
#ifndef CG2_NEST_H
#define CG2_NEST_H

#include "base/vg.h"

enum { NEST_MAX = 24 };

typedef struct Nest {
   UInt n; /* caches, from the smallest to the largest */
   UInt ways;
   UWord n_sets;  /* of the largest */
   Bool has_mask; /* that is a power of two */
   ULong now;
   /* Of each place in the largest, 1 + [n_sets][ways]; place 0 is that of no
      line. */
   UWord* lines;            /* the number of the line, or none */
   ULong* times;            /* of its last touch; 0: there is none */
   UChar* smallest;         /* index of the smallest cache that has it */
   UInt* members[NEST_MAX]; /* of each smaller cache, its sets' places in the
                               largest; 0: empty */
} Nest;

/* Makes `n` empty caches; the smallest has `n_sets`. */
void cg2_nest_init(Nest* nest, UWord n_sets, UInt ways, UInt n);

/* How many of the caches do not have the line: the smallest ones. Then all
 * have. */
UInt cg2_nest_touch(Nest* nest, UWord line);

/* Forgets all lines. */
void cg2_nest_clear(Nest* nest);

#endif
