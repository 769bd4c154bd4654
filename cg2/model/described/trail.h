/* The trail: the branches before one, as predictors see it that know several
 * lengths of it (tage, ittage).
 *
 * Each branch leaves a step, a word made of where it is and where it went. A
 * *fold* is the sum of the last so many steps, each times TRAIL_FACTOR for each
 * branch since; there is one for each length. All of it is modulo 2^32.
 *
 * So that no fold need be multiplied for each branch, the sums are of steps
 * that were divided by TRAIL_FACTOR for each branch before them; a fold that is
 * asked for is multiplied at once. */
#ifndef CG2_TRAIL_H
#define CG2_TRAIL_H

#include "base/vg.h"

enum {
   TRAIL_LENGTHS = 8,
   TRAIL_MAX = 256,    /* steps that the longest fold may have */
   TRAIL_ROOM = 1024,  /* steps that are kept before the last ones are moved */
   TRAIL_TAG_SHIFT = 6 /* a tag is the bits from here on; places are the upper
                          bits, as lower ones know less of the order of steps */
};

/* A factor by which 2^30 powers differ, as of a generator of random numbers
 * (L'Ecuyer, 1999), and what undoes it. */
#define TRAIL_FACTOR 0xAC564B05U
#define TRAIL_UNDONE 0xDC33C9CDU

/* A word for each length, from short to long. The host's processor works on
 * several at once, if it can. */
typedef UInt TrailLanes __attribute__((vector_size(16)));
enum { TRAIL_LANES = TRAIL_LENGTHS / 4 };
typedef union TrailWords {
   TrailLanes lanes[TRAIL_LANES];
   UInt of[TRAIL_LENGTHS];
} TrailWords;

typedef struct Trail {
   TrailWords sums;                /* see above */
   PtrdiffT oldest[TRAIL_LENGTHS]; /* of each sum: as steps from the end */
   UInt n_branches;                /* modulo 2^32 */
   UInt power, undone;             /* the factors, as often as branches */
   UInt* end;                      /* behind the newest step */
   UInt steps[TRAIL_ROOM];         /* divided, see above */
} Trail;

/* Makes a trail without branches, whose longest fold has `longest` steps, from
 * 1 to TRAIL_MAX, and each other one half of the next, but at least one. */
void cg2_trail_init(Trail* trail, UInt longest);

/* Moves the last steps to the beginning, where there is room behind them. */
void cg2_trail_move(Trail* trail);

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
   UInt at = cg2_trail_mixed(addr);
   TrailWords seen;
   for (UInt i = 0; i < TRAIL_LANES; i++)
      seen.lanes[i] = (trail->sums.lanes[i] * trail->power) ^ at;
   return seen;
}

/* Adds the step of a branch that has been predicted. */
static inline void cg2_trail_add(Trail* trail, UInt step)
{
   trail->n_branches++;
   trail->power *= TRAIL_FACTOR;
   trail->undone *= TRAIL_UNDONE;
   UInt divided = step * trail->undone;
   for (UInt i = 0; i < TRAIL_LANES; i++) {
      const PtrdiffT* oldest = &trail->oldest[4 * i];
      TrailLanes gone = {trail->end[oldest[0]], trail->end[oldest[1]],
                         trail->end[oldest[2]], trail->end[oldest[3]]};
      trail->sums.lanes[i] += divided - gone;
   }
   *trail->end++ = divided;
   if (trail->end == trail->steps + TRAIL_ROOM) cg2_trail_move(trail);
}

#endif
