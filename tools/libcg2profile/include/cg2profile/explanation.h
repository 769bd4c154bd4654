/* Why the total of one side differs from that of another: pieces, at the
 * functions that themselves behave otherwise, which add up to the difference.
 *
 * With N the calls of a function, a its own cost a call, r(c, f) how often a
 * call of c calls f, and I(f) what a call of f costs with all that it calls,
 * I = a + R I, the difference is
 *
 *    sum over c of  N'(c) [a'(c) - a(c) + sum over f of
 *                          (r'(c, f) - r(c, f)) I(f)]
 *
 * with ' for NEW, and what begins more or less often. Each summand is a piece.
 * What follows from a change elsewhere cancels out: a callee that became dearer
 * is a piece of its own, and none of its callers'. A function that one side
 * does not have counts with 0 there: what only OLD has is in pieces of its
 * callers, what only NEW has in pieces of its own. */
#ifndef CG2PROFILE_EXPLANATION_H
#define CG2PROFILE_EXPLANATION_H

#include "graph.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A side: one graph for each part or thread, all with the same events, without
 * levels. What nothing but itself or its own circle calls in a graph has begun
 * there once. All stays the caller's. */
typedef struct cg2p_explained {
   size_t n_graphs;
   const cg2p_graph* const* graphs;
   /* For each graph, of each node: the function that it is in both sides.
    * Several nodes may be one function. */
   const uint32_t* const* functions;
} cg2p_explained;

typedef struct cg2p_piece {
   uint32_t function; /* CG2P_NONE: what begins */
   uint32_t callee;   /* what it calls, or what begins; CG2P_NONE: the
                         function's own cost */
   uint64_t old_count, new_count; /* of these calls; 0 of own costs */
} cg2p_piece;

typedef struct cg2p_explanation cg2p_explanation;

/* Explains the difference; functions are below `n_functions`. Costs are
 * rounded so that the pieces of each event add up to the difference of the self
 * costs of the two sides; none is further than 1 from what it is exactly, or
 * than 2^-60 of the largest. Only pieces that cost something are there, and
 * calls that just one side has. NULL: *error says why not: a cost is too large
 * for 64 bits, or there is no memory. The caller frees it. */
CG2P_API cg2p_explanation* cg2p_explanation_new(uint32_t n_functions,
                                                uint32_t n_events,
                                                const cg2p_explained* old_side,
                                                const cg2p_explained* new_side,
                                                cg2p_error* error);
CG2P_API size_t
cg2p_explanation_piece_count(const cg2p_explanation* explanation);
/* The pieces, by function, own costs before calls, those by callee; what begins
 * comes last. And their costs, one behind the other. */
CG2P_API const cg2p_piece*
cg2p_explanation_pieces(const cg2p_explanation* explanation);
CG2P_API const int64_t*
cg2p_explanation_costs(const cg2p_explanation* explanation);
/* Of each function how often it was called and began; `is_new` 1: in NEW. 0: it
 * is not there. */
CG2P_API const uint64_t*
cg2p_explanation_calls(const cg2p_explanation* explanation, int is_new);
/* Of each function its self costs, one behind the other. */
CG2P_API const uint64_t*
cg2p_explanation_self_costs(const cg2p_explanation* explanation, int is_new);
/* How many arcs of the graphs have no count, as when functions are left out
 * or collection is switched while they run. They are left out. */
CG2P_API uint64_t
cg2p_explanation_uncounted(const cg2p_explanation* explanation, int is_new);
CG2P_API void cg2p_explanation_free(cg2p_explanation* explanation);

#ifdef __cplusplus
}
#endif
#endif
