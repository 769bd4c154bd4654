/* What paths cost, as a tree of branches, of one run or of two; cg2profile.h
 * says what a branch is.
 *
 * side    a run: 0 or 1
 * weight  what a branch costs itself on side 0, in an event that may be made
 *         of others */
#ifndef CG2P_PATHTREE_H
#define CG2P_PATHTREE_H

#include "base/keys.h"
#include "profile/names.h"

enum { TREE_SIDES = 2 };

struct cg2p_pathtree {
   uint32_t n_events, n_parts;
   NameStore names;
   Keys functions; /* names of object, file and function; or of that alone */
   Keys ways;      /* caller and function, by number of branch */
   cg2p_branch* of;
   size_t room;
   /* n_events numbers for each branch, by side */
   uint64_t *self[TREE_SIDES], *inclusive[TREE_SIDES];
   size_t self_room[TREE_SIDES];
   uint64_t* total[TREE_SIDES];
   Failure failure;
};

static inline size_t cg2p_pathtree_n_branches(const cg2p_pathtree* tree)
{
   return tree->ways.n;
}

/* The weight of each branch; the caller frees the array. No weight is below 0.
 */
uint64_t* cg2p_pathtree_weights(const cg2p_pathtree* tree,
                                Failure* failure,
                                const int64_t* factors);

#endif
