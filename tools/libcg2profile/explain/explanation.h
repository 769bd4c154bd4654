/* What is known of why two totals differ: both sides, and the pieces. */
#ifndef CG2P_EXPLANATION_H
#define CG2P_EXPLANATION_H

#include "explain/summands.h"

struct cg2p_explanation {
   Failure failure;
   Arena arena;
   uint32_t n_events;
   Summands sides[2];
   long double* per_call; /* in OLD */
   cg2p_piece* pieces;
   int64_t* costs;
   size_t n;
};

#endif
