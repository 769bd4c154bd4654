/* The functions by what they have cost, hottest first.
 *
 * Each ranking remembers what functions had cost, so that the next one can say
 * what came to it. It reads what was counted and changes no profile. A function
 * has one place, with all its levels and threads; callers that are kept apart
 * stay so. */
#ifndef CG2_RANKING_H
#define CG2_RANKING_H

#include "engine/context.h"
#include "engine/cost.h"

typedef struct RankedFunction {
   const Context* context; /* the outermost of those that are put together */
   /* Costs by event; `added` is the self cost since the ranking before. */
   const ULong *self, *added, *inclusive;
} RankedFunction;

typedef struct Ranking {
   RankedFunction* functions; /* those that have costs */
   UInt n;
   Cost added;      /* of all functions */
   Bool has_before; /* There was a ranking before: if not, `added` is what came
                       since the last zero. */
   UInt milliseconds;                  /* since the ranking before */
   ULong *self, *added_by, *inclusive; /* tallies that functions point into */
} Ranking;

/* Ranks the functions by what was added of `event` since the ranking before,
 * then by self cost. `now` is a clock of milliseconds. All arcs are flushed. To
 * be freed. */
Ranking cg2_ranking_make(UInt event, UInt now);
void cg2_ranking_free(Ranking* ranking);

/* Forgets that there was a ranking. */
void cg2_ranking_forget(void);

/* The costs of thread `tid`, or, for 0, of all, are about to be set to zero:
 * lets the next ranking say nevertheless what was added. */
void cg2_ranking_zero(UInt tid);

#endif
