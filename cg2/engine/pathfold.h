/* Where a call leads that has no step yet, and how recursions fold.
 *
 * A function that is on a path as often as its recursion levels are kept apart
 * *folds*: the next call of it leads back to where it is on the path last.
 *
 * When there is no room for all paths, each function has one level from then
 * on. Paths that there are fold as well, and become one with those that make
 * the same calls, so what is known of them stays known: all but the level. A
 * path that a frame is on stays as it is. */
#ifndef CG2_PATHFOLD_H
#define CG2_PATHFOLD_H

#include "engine/pathstep.h"

/* Where a call by `arc` from a path, whose step has this hash, leads; NULL: to
 * a new path. */
PathStep* cg2_pathfold_target(PathStep* from, const Arc* arc, ULong hash);

/* Whether calls fold to one level that would not, were there more room. */
Bool cg2_pathfold_is_coarse(void);

/* Whether each function has one level. */
Bool cg2_pathfold_is_done(void);
/* Gives each function one level. `is_fixed` is true, by number, of steps that
 * stay as they are; they lead from and to paths that do. */
void cg2_pathfold_all(const Bool* is_fixed);

#endif
