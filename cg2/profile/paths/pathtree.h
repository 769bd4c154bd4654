/* The tree of paths (engine/path.h) with the self cost of each path, as the
 * writer of paths needs it.
 *
 * A path without calls and costs is left out, unless one that it leads to has
 * some. */
#ifndef CG2_PATHTREE_H
#define CG2_PATHTREE_H

#include "engine/path.h"
#include "profile/callgrind/position.h"

/* How large a tree is. */
typedef struct PathSize {
   UInt n_paths;     /* how many are shown */
   UInt n_more;      /* of these, those that cg2_pathstep_is_more */
   ULong more_calls; /* of these */
   Cost more;        /* what these have cost themselves */
} PathSize;

typedef struct PathTree {
   PathStep* const* steps;
   UInt n; /* steps, which have the numbers 0, 1, 2, ... */
   UInt thread;
   PositionConfig positions;
   /* By number of the path, and nothing for other steps. */
   ULong* own;      /* costs, one vector behind the other */
   ULong* calls;    /* by the path's caller */
   ULong* again;    /* calls that come back to the path */
   UInt* first;     /* the number of its newest child, plus 1; 0: none */
   UInt* next;      /* the number of an older child of its parent, plus 1 */
   Bool* is_shown;  /* The path is not left out. */
   UInt first_root; /* the number of the newest root, plus 1; 0: none */
   PathSize size;
} PathTree;

/* A path on the way through the tree. */
typedef struct PathNode {
   const PathStep* step;
   UInt depth;  /* 0: a root */
   Position at; /* of the call */
} PathNode;

/* The tree of thread `tid`, or, for 0, of all threads. */
PathTree cg2_pathtree_new(const PositionConfig* positions, UInt tid);
void cg2_pathtree_free(PathTree* tree);

/* What the path has cost itself. */
static inline const ULong* cg2_pathtree_own(const PathTree* tree,
                                            const PathStep* path)
{
   return tree->own + (SizeT)path->number * cg2_events.n;
}

/* The sum of what all paths have cost themselves. */
Cost cg2_pathtree_total(const PathTree* tree);

/* Calls `visit` with each path that is shown: a caller before those that it
 * calls, and these in the order of call sites and functions. */
void cg2_pathtree_walk(const PathTree* tree,
                       void (*visit)(const PathNode* node, void* what),
                       void* what);

#endif
