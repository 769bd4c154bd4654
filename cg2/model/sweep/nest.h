/* Nested caches: caches with the same ways, of which each has twice as many
 * sets as the one before.
 *
 *    caches of 1, 2 and 4 sets with 2 ways; lines were touched in the order
 *    8 1 3 2 6
 *
 *    cache 2 (the largest)   set 0: 8     set 1: 1    set 2: 2 6    set 3: 3
 *    cache 1                 even lines: 2 6          odd lines: 1 3
 *    cache 0                 all lines: 2 6
 *
 * The lines of a set are parted among two sets of the next cache, so that each
 * cache has all lines that a smaller one does; with least recently used
 * replacement that stays so. Source: Hill and Smith, Evaluating associativity
 * in CPU caches, 1989.
 *
 * So a line is looked for in the largest cache only. There it is known when the
 * line was touched last, in all caches, and which is the smallest that has it.
 * The smaller caches know which lines they have, by their places in the
 * largest, and look at the times when a line has to go: a touch that hits in
 * all caches writes one time.
 *
 * Owner: a sweep. Lives until the process exits. */
#ifndef CG2_NEST_H
#define CG2_NEST_H

#include "base/vg.h"

enum { NEST_MAX = 24 };

typedef struct Nest {
   UInt n; /* caches, from the smallest to the largest */
   UInt ways;
   UWord n_sets;  /* of the largest cache */
   Bool has_mask; /* n_sets is a power of two */
   ULong now;     /* touches so far */
   /* A place of the largest cache is 1 + set * ways + way; place 0 is empty. */
   UWord* lines;            /* [place]: its line, or ~0 */
   ULong* times;            /* [place]: of its last touch; 0: it is empty */
   UChar* smallest;         /* [place]: the smallest cache that has its line */
   UInt* members[NEST_MAX]; /* [smaller cache][set * ways + way]: the place of
                               the line that is there, or 0 */
} Nest;

/* Makes `n` empty caches; the smallest has `n_sets`. */
void cg2_nest_init(Nest* nest, UWord n_sets, UInt ways, UInt n);

/* Touches a line in all caches. Returns how many of them, the smallest, lacked
 * it; then all have it. */
UInt cg2_nest_touch(Nest* nest, UWord line);

/* Forgets all lines. */
void cg2_nest_clear(Nest* nest);

#endif
