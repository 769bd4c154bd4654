/* Paths: costs kept apart by all calls that led to them.
 *
 * A *path* is how control got to a function: the calls, each with its site,
 * from the root of a stack. The paths of a run are a tree. They are kept only
 * if that is wanted, beside the graph: a frame follows a *step* of the tree as
 * it follows an arc of the graph, and both are charged with what the call cost.
 *
 * A step leads from a path to a path. The first step to a path *is* that path.
 * Other steps come back to one:
 *
 * - A function that is on a path as often as its recursion levels are kept
 *   apart *folds*: the next call of it leads back to where it is on the path
 *   last. So the tree is finite.
 * - A call that profiles do not show, of a function that is skipped, leads back
 *   to the path that makes the call.
 *
 * There may be so many steps and no more. Then those that cost least make place
 * (pathroom.h).
 *
 * What a path has cost itself is what the steps to it cost, less what the steps
 * from it cost.
 *
 * Source: Ammons, Ball and Larus, "Exploiting Hardware Performance Counters
 * with Flow and Context Sensitive Profiling" (PLDI 1997): recursion as back
 * edges of a calling context tree. */
#ifndef CG2_PATH_H
#define CG2_PATH_H

#include "engine/engineconfig.h"
#include "engine/pathstep.h"

/* Whether paths are kept. */
static inline Bool cg2_path_is_on(void)
{
   return __builtin_expect(cg2_engine_config.keeps_paths, 0);
}

/* The step that a call by `arc` takes from a path, NULL for an arc to a root.
 * Made on first use. */
PathStep* cg2_path_find(PathStep* from, Arc* arc);

/* The steps that were taken last, by hash. */
enum { RECENT_STEPS = 262144 };
extern PathStep* cg2_path_recent[RECENT_STEPS];

static inline PathStep** cg2_path_recent_at(const PathStep* from,
                                            const Arc* arc)
{
   ULong hash = ((UWord)from ^ (UWord)arc << 3) * 0x9e3779b97f4a7c15ULL;
   return &cg2_path_recent[hash >> 32 & (RECENT_STEPS - 1)];
}

/* Does the same as cg2_path_find, faster if that was done lately. */
static inline PathStep* cg2_path_step(PathStep* from, Arc* arc)
{
   PathStep* step = *cg2_path_recent_at(from, arc);
   return step && step->from == from && step->arc == arc
             ? step
             : cg2_path_find(from, arc);
}

/* Says that `cost`, which was counted while the path `from` ran, is of the path
 * `to`. `from` is NULL for what was counted when no path ran. */
void cg2_path_move(PathStep* from, PathStep* to, const ULong* cost);

/* The number of the thread that the step was made in, if threads are kept
 * apart. */
UInt cg2_path_thread(const PathStep* step);

/* Sets every count and cost of thread `tid`, if threads are kept apart, or, for
 * 0, of all threads, to zero. */
void cg2_path_zero(UInt tid);

#endif
