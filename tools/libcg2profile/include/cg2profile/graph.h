/* Who calls whom in a part, and inclusive costs.
 *
 * recursion level  activations of a function inside another activation of it,
 *                  which the profile keeps apart: "fib" is the outermost level,
 *                  "fib'2" what runs inside it
 * node             a function with all its levels; or one level, if they are
 *                  to be kept apart
 * inclusive cost   of a node: what is spent while it is on the stack, once
 *                  where it is there several times. This is exact for nodes in
 *                  no cycle, and for nodes of which the profile has two levels
 *                  or more; else it is an upper bound
 * arc              all calls from one node to another
 * cycle            nodes, two or more, that can reach each other by calls. Its
 *                  inclusive cost is what is spent while any of them is on the
 *                  stack
 *
 * Only the library makes one; later versions may have more fields at the end.
 * Costs lie one behind the other, each of n_events numbers. */
#ifndef CG2PROFILE_GRAPH_H
#define CG2PROFILE_GRAPH_H

#include "part.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cg2p_graph {
   uint32_t n_events;
   /* Nodes, in the order in which the part mentions their outermost level; but
    * nodes of which only inner levels are there come last. */
   uint32_t n_functions, n_nodes;
   const uint32_t* node_of;   /* of each function of the part */
   const uint32_t* outermost; /* of each node: a function of the part */
   const uint64_t *self, *inclusive;
   const uint32_t* cycle; /* of each node, from 1; 0: it is in none */
   /* Arcs, those of caller 0 first; caller and callee are nodes. None costs
    * more than its callee. In a cycle only calls by outermost levels cost
    * something, as those by inner ones happen inside. */
   uint32_t n_arcs;
   const cg2p_arc* arcs;
   const uint64_t* arc_costs;
   /* Cycles, in the order of their first nodes; costs of cycle 1 first. */
   uint32_t n_cycles;
   const uint64_t *cycle_self, *cycle_inclusive;
   /* Calls into cycles from outside: the caller is a node, the callee a cycle,
    * from 1. */
   uint32_t n_entries;
   const cg2p_arc* entries;
   const uint64_t* entry_costs;
} cg2p_graph;

/* The graph of a part of the profile, which has to stay until the graph is
 * freed; needs CG2P_SUMS. `keep_levels` 1: each recursion level is a node;
 * 0: each function. NULL: *error says why not: a sum is too large for 64 bits,
 * or there is no memory. The caller frees the graph. */
CG2P_API cg2p_graph* cg2p_graph_new(const cg2p_profile* profile,
                                    const cg2p_part* part,
                                    int keep_levels,
                                    cg2p_error* error);
/* The name of a node, without its level, as cg2p_profile_name has names. */
CG2P_API const char*
cg2p_graph_node_name(const cg2p_graph* graph, uint32_t node, size_t* length);
/* Whether calls of one function by another, both of the part, count for the
 * cost of the arc between their nodes: not if an inner level makes them in a
 * cycle. */
CG2P_API int
cg2p_graph_counts(const cg2p_graph* graph, uint32_t caller, uint32_t callee);
/* Finds the `most` nodes that cost most of an event, by costs that are `self`
 * or `inclusive` of the graph; with them all that cost as much as the last.
 * Their numbers rise in `nodes`, which has room for all. How many these are;
 * and in *n_all, how many nodes cost something. Others are never found. `most`
 * is not 0, and small: the time grows with it. */
CG2P_API uint32_t cg2p_graph_find_dearest(const cg2p_graph* graph,
                                          const uint64_t* costs,
                                          uint32_t event,
                                          uint32_t most,
                                          uint32_t* nodes,
                                          uint32_t* n_all);
/* Where the caller of the library gives nodes numbers: writes those of each
 * arc's caller and callee, */
CG2P_API void cg2p_graph_number_arcs(const cg2p_graph* graph,
                                     const uint64_t* numbers,
                                     uint64_t* callers,
                                     uint64_t* callees);
/* and that of the node of each function of the part. */
CG2P_API void cg2p_graph_number_functions(const cg2p_graph* graph,
                                          const uint64_t* numbers,
                                          uint32_t* functions);
CG2P_API void cg2p_graph_free(cg2p_graph* graph);

#ifdef __cplusplus
}
#endif
#endif
