/* Walkers: each walks its part of the windows, beside the others, with a core
 * and random numbers of its own. There are always as many, on however many
 * processors, and what they found is added up in order: so what is found is the
 * same everywhere. */
#ifndef CG2P_WALKERS_H
#define CG2P_WALKERS_H

#include "cycles/pipeline.h"

enum { WALKERS = 2 };

typedef struct Walker {
   Walk walk;
   Pipeline* pipeline;
   uint64_t first, windows; /* its first window; the windows of all */
} Walker;

typedef struct Walkers {
   Walker of[WALKERS];
} Walkers;

/* What they walk through, for as long as they are there. */
typedef struct Ground {
   const cg2p_core* core;
   const ControlGraph* graph;
   const Workload* workload;
   const Forwards* forwards;
} Ground;

/* Walks along all of the graph. What spots are charged with is in the first
 * walker's pipeline; of the others nothing is left. */
void cg2p_walkers_walk(Walkers* walkers,
                       Failure* failure,
                       const Ground* ground,
                       uint64_t seed);
void cg2p_walkers_free(Walkers* walkers);

#endif
