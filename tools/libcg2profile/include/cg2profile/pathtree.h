/* What paths cost, of one run or of two that are compared, side 0 and side 1.
 *
 *    cg2p_pathtree* tree = cg2p_pathtree_new(n_events, &error);
 *    cg2p_pathtree_add(tree, profile, cg2p_profile_part(profile, 0), NULL, 0,
 *                      &error);
 *    cg2p_pathtree_complete(tree, &error);
 *    ...cg2p_pathtree_branches(tree)
 *
 * A branch is all calls of one function on one path, from whatever place of its
 * caller. Its inclusive cost is its own cost and that of the branches below it.
 */
#ifndef CG2PROFILE_PATHTREE_H
#define CG2PROFILE_PATHTREE_H

#include "profile.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cg2p_pathtree cg2p_pathtree;

typedef struct cg2p_branch {
   uint32_t caller;         /* a branch, which comes before; CG2P_NONE: none */
   uint32_t part;           /* in the order in which parts were added */
   uint32_t path;           /* its first one there: a function of that part */
   uint32_t n;              /* how many branches it and all below it are */
   uint64_t calls[2];       /* how often it was called or, without a caller,
                               began, on each side */
   uint64_t calls_below[2]; /* how often it called */
} cg2p_branch;

/* Begins a tree of parts with so many events. NULL: *error says why not. The
 * caller frees the tree. */
CG2P_API cg2p_pathtree* cg2p_pathtree_new(uint32_t n_events, cg2p_error* error);
/* Adds a part that cg2p_profile_read_paths has read to a side; the part is not
 * needed afterwards. Functions are the same if they have the same object, file
 * and name. With `name_as`, which has a number for each name of the profile,
 * they are the same if the numbers of their names are; either all parts are
 * added with it or none. 1: it is added; 0: *error says why not, and the tree
 * can only be freed. */
CG2P_API int cg2p_pathtree_add(cg2p_pathtree* tree,
                               const cg2p_profile* profile,
                               const cg2p_part* part,
                               const uint32_t* name_as,
                               int side,
                               cg2p_error* error);
/* Adds inclusive costs up. After that, nothing can be added; before it nothing
 * can be asked. 1: done; 0 as of cg2p_pathtree_add. */
CG2P_API int cg2p_pathtree_complete(cg2p_pathtree* tree, cg2p_error* error);
CG2P_API void cg2p_pathtree_free(cg2p_pathtree* tree);

/* The branches, as many as cg2p_pathtree_branch_count says; and what each costs
 * on a side, one cost behind the other. */
CG2P_API size_t cg2p_pathtree_branch_count(const cg2p_pathtree* tree);
CG2P_API const cg2p_branch* cg2p_pathtree_branches(const cg2p_pathtree* tree);
CG2P_API const uint64_t* cg2p_pathtree_self_costs(const cg2p_pathtree* tree,
                                                  int side);
CG2P_API const uint64_t*
cg2p_pathtree_inclusive_costs(const cg2p_pathtree* tree, int side);

/* Writes to `numbers`, which may be NULL, the branches whose inclusive cost is,
 * in some event on some side, at least `share` (0 to 1) of the total, and not
 * 0. The caller of such a branch is one, too. Gives how many there are. */
CG2P_API size_t cg2p_pathtree_above(const cg2p_pathtree* tree,
                                    double share,
                                    uint32_t* numbers);

/* The weight of a branch is its own cost on side 0: each event times its
 * factor, added up; 0 if that is negative.
 *
 * Writes all branches to `numbers`, the heaviest first. 1: done; 0: *error says
 * that there is no memory. */
CG2P_API int cg2p_pathtree_heaviest(const cg2p_pathtree* tree,
                                    const int64_t* factors,
                                    uint32_t* numbers,
                                    cg2p_error* error);
/* Finds a small tree of branches that together have at least `share` (0 to 1)
 * of the whole weight. Writes its branches to `numbers`, which has room for
 * all, each behind its caller, and how many there are to *n. The tree is made
 * by adding groups of branches below the tree that there is; of all groups,
 * always the one with the most weight for each branch comes next. So a tree for
 * a larger share contains the tree for a smaller one. If the last group is
 * added whole, no other tree with the same number of branches weighs more. 1:
 * done; 0: *error says why not. */
CG2P_API int cg2p_pathtree_densest(const cg2p_pathtree* tree,
                                   const int64_t* factors,
                                   double share,
                                   uint32_t* numbers,
                                   size_t* n,
                                   cg2p_error* error);

#ifdef __cplusplus
}
#endif
#endif
