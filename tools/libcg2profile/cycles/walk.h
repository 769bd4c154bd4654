/* A random walk along a control graph, by its exact counts. */
#ifndef CG2P_WALK_H
#define CG2P_WALK_H

#include "cycles/controlgraph.h"

/* Random numbers; the state is never 0. */
typedef struct Random {
   uint64_t state;
} Random;

void cg2p_walk_seed(Random* random, uint64_t seed);
uint64_t cg2p_walk_random(Random* random);
/* A random number below `n`, which is not 0. */
uint64_t cg2p_walk_below(Random* random, uint64_t n);
/* Whether something happens this time that happens in a share of all times, as
 * evenly as can be: what is left over waits in *rest. */
static inline bool cg2p_walk_happens(uint32_t* rest, Share share)
{
   if (share >= SHARE_WHOLE) return true;
   uint64_t sum = (uint64_t)*rest + share;
   *rest = (uint32_t)sum;
   return sum >= SHARE_WHOLE;
}

enum { WALK_DEPTH = 1024 };

typedef struct Walk {
   const ControlGraph* graph;
   Failure* failure;
   Random random;
   uint64_t* up_to;            /* how often spots ran, up to each */
   uint32_t* rests;            /* of branches back, see above */
   uint32_t stack[WALK_DEPTH]; /* spots to return to, in a circle */
   uint32_t depth, used;       /* where the next one goes; how many there are */
} Walk;

void cg2p_walk_begin(Walk* walk,
                     Failure* failure,
                     const ControlGraph* graph,
                     uint64_t seed);
/* A spot to begin at: number `i` of `n`, which are spread evenly over all that
 * ran. CG2P_NONE: nothing that is known ran. */
uint32_t cg2p_walk_start(Walk* walk, uint64_t i, uint64_t n);
/* The spot after one; CG2P_NONE: it is not known. *taken: whether that is not
 * the one behind it in memory. */
uint32_t cg2p_walk_next(Walk* walk, uint32_t spot, bool* taken);
void cg2p_walk_free(Walk* walk);

#endif
