/* Who can reach whom by calls: the strongly connected components of a graph.
 * Two functions are in one component if each reaches the other; most functions
 * are alone in theirs. */
#ifndef CG2P_COMPONENTS_H
#define CG2P_COMPONENTS_H

#include "base/memory.h"

/* Items by the group that each is in. */
typedef struct Groups {
   uint32_t* first; /* of each group its first place in `items`, and the end */
   uint32_t* items; /* group by group, in each in their order */
} Groups;

/* Sorts items 0 to n - 1, each of group group_of[i], into `n_groups` groups. */
Groups cg2p_components_group(Arena* arena,
                             Failure* failure,
                             const uint32_t* group_of,
                             uint32_t n,
                             uint32_t n_groups);

/* The component of each of `n` functions, by number. A component's number is
 * higher than the numbers of those that it calls. */
uint32_t* cg2p_components_find(Arena* arena,
                               Failure* failure,
                               uint32_t n,
                               const cg2p_arc* arcs,
                               uint32_t n_arcs);

#endif
