/* The trail: the branches before one, as predictors see it that know several
 * lengths of it (tage, ittage).
 *
 * Each branch leaves a step, a word made of where it is and where it went. A
 * *fold* is the xor of the last so many steps, each turned left by its age in
 * branches; there is one for each length. The newest step has age 0.
 *
 * To age all steps of a fold is to turn the fold. So that no fold need be
 * turned for each branch, folds lie turned right by the number of branches that
 * there have been, and so do the steps. */
#ifndef CG2_TRAIL_H
#define CG2_TRAIL_H

#include "base/vg.h"

enum {
   TRAIL_LENGTHS = 8,
   TRAIL_MAX = 256,   /* steps that the longest fold may have */
   TRAIL_ROOM = 1024, /* steps that are kept before the last ones are moved */
   TRAIL_PLACE_BITS = 20 /* of a word: its place in a table is in the lower
                            ones, its tag in those above */
};

/* A word for each length, from short to long. The host's processor works on
 * several at once, if it can; one at a time, a branch takes half as long again.
 */
typedef UInt TrailLanes __attribute__((vector_size(16)));
enum { TRAIL_LANES = TRAIL_LENGTHS / 4 };
typedef union TrailWords {
   TrailLanes lanes[TRAIL_LANES];
   UInt of[TRAIL_LENGTHS];
} TrailWords;

typedef struct Trail {
   TrailWords folds;               /* turned, see above */
   PtrdiffT oldest[TRAIL_LENGTHS]; /* of each fold: as steps from the end */
   UInt n_branches;                /* modulo 2^32 */
   UInt* end;                      /* behind the newest step */
   UInt steps[TRAIL_ROOM];         /* turned, too */
} Trail;

/* Makes a trail without branches, whose longest fold has `longest` steps, from
 * 1 to TRAIL_MAX, and each other one half of the next, but at least one. */
void cg2_trail_init(Trail* trail, UInt longest);

/* Moves the last steps to the beginning, where there is room behind them. */
void cg2_trail_move(Trail* trail);

static inline UInt cg2_trail_turned(UInt word, UInt by)
{
   return word << by % 32 | word >> (32 - by % 32) % 32;
}

/* Where a branch is, or where it went, as a word of which each bit is as good
 * as any other. */
static inline UInt cg2_trail_mixed(UWord place)
{
   UInt word = (UInt)place * 0x9E3779B1U;
   return word ^ word >> 15;
}

/* The folds as a branch at an address sees them that is to be predicted: each
 * xor the address. */
static inline TrailWords cg2_trail_seen(const Trail* trail, Addr addr)
{
   UInt by = trail->n_branches % 32;
   UInt back = (32 - by) % 32, at = cg2_trail_mixed(addr);
   TrailWords seen;
   for (UInt i = 0; i < TRAIL_LANES; i++) {
      TrailLanes folds = trail->folds.lanes[i];
      seen.lanes[i] = (folds << by | folds >> back) ^ at;
   }
   return seen;
}

/* Adds the step of a branch that has been predicted. */
static inline void cg2_trail_add(Trail* trail, UInt step)
{
   UInt turned = cg2_trail_turned(step, -++trail->n_branches);
   for (UInt i = 0; i < TRAIL_LANES; i++) {
      const PtrdiffT* oldest = &trail->oldest[4 * i];
      TrailLanes gone = {trail->end[oldest[0]], trail->end[oldest[1]],
                         trail->end[oldest[2]], trail->end[oldest[3]]};
      trail->folds.lanes[i] ^= gone ^ turned;
   }
   *trail->end++ = turned;
   if (trail->end == trail->steps + TRAIL_ROOM) cg2_trail_move(trail);
}

#endif
