/* A side of two that are explained: functions, by the numbers that both
 * sides share, their calls and own costs, all graphs of the side added up.
 *
 * Calls that were not counted are left out. In each graph what nothing but
 * itself or its own circle calls has begun once: one function of such a circle,
 * the one that costs most with what it calls. So the calls of a function, those
 * by others and those of beginning, are never 0 if the side has it. */
#ifndef CG2P_SUMMANDS_H
#define CG2P_SUMMANDS_H

#include "base/components.h"

#include <stdbool.h>

typedef struct Summands {
   uint32_t n, n_events;    /* functions */
   uint64_t *begun, *calls; /* of each function; calls: with those */
   uint64_t* self;          /* costs of the functions, one behind the other */
   cg2p_arc* arcs; /* by caller, then callee; none twice, none of 0 calls */
   uint32_t n_arcs;
   uint64_t n_uncounted; /* arcs of the graphs that had costs and no count */
} Summands;

Summands cg2p_summands_add_up(Arena* arena,
                              Failure* failure,
                              const cg2p_explained* side,
                              uint32_t n,
                              uint32_t n_events);

#endif
