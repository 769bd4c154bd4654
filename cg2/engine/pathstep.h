/* The steps of paths (path.h), and the paths that take what has no room.
 *
 * A step leads from a path to a path. The first step to a path *is* that path.
 * A step without an arc is one of two:
 *
 * - *more*, a path: it takes all that is called from the path `from` and has no
 *   path of its own.
 * - *moved*: a cost that was counted while `from` ran is of the path `to`. */
#ifndef CG2_PATHSTEP_H
#define CG2_PATHSTEP_H

#include "engine/graph.h"

typedef struct PathStep {
   TableNode node; /* key: from, and the site and function that `arc` shows */
   struct PathStep* from; /* the path that calls; NULL: nobody calls a root */
   struct PathStep* to; /* the path that the call leads to, which may be this */
   UInt number;         /* 0, 1, 2, ... in the order in which steps were made */
   UInt n_open;         /* how many frames, of any stack, hold the step */
   Arc* arc;            /* NULL: more, or moved */
   ULong count;         /* how often the calls were made */
   ULong inclusive[];   /* what the calls cost */
} PathStep;

/* Whether the step is a path. */
static inline Bool cg2_pathstep_is_path(const PathStep* step)
{
   return step->to == step;
}

/* Whether the step is a path that takes what has no path of its own. */
static inline Bool cg2_pathstep_is_more(const PathStep* step)
{
   return !step->arc && cg2_pathstep_is_path(step);
}

/* Whether profiles show no call of the arc: it is of a skipped function, or of
 * itself by one whose calls of itself are skipped. */
Bool cg2_pathstep_hides(const Arc* arc);

/* Whether the step is a call that no profile shows. */
static inline Bool cg2_pathstep_is_hidden(const PathStep* step)
{
   return step->arc && cg2_pathstep_hides(step->arc);
}

/* The exit whose line shows the calls of an arc; NULL for a root. */
const Exit* cg2_pathstep_site(const Arc* arc);

/*--- Where steps are ----------------------------------------------------*/

/* The step of all calls that are not kept: while collection is off, and behind
 * a path that takes what has no path of its own. It is charged like any other;
 * what it counts is nobody's. */
PathStep* cg2_pathstep_nowhere(void);

/* How recursions fold (pathfold.h). */
typedef struct PathLevels {
   Bool are_one;   /* Each function has one level. */
   Bool is_coarse; /* A call has folded that would not otherwise. */
} PathLevels;
PathLevels* cg2_pathstep_levels(void);

/* How many calls get no room before room is made again (pathroom.h). */
UInt* cg2_pathstep_refused(void);

/* The steps that may have this hash; see cg2_table_next. */
TableNode* cg2_pathstep_first(ULong hash);
/* The hash of a step from a path. */
ULong cg2_pathstep_hash(const PathStep* from,
                        const void* site,
                        const void* function);

/* The hash of a step like this one that leads from `from` to `to`. */
ULong cg2_pathstep_hash_of(const PathStep* step,
                           const PathStep* from,
                           const PathStep* to);

/* All steps, each behind the paths that it leads from and to. `n` becomes how
 * many there are. */
PathStep* const* cg2_pathstep_all(UInt* n);
/* How many steps there are, without those that are *more*. */
UInt cg2_pathstep_count(void);

/*--- Changes ------------------------------------------------------------*/

/* A new step from a path to `to`, or, for NULL, to a new path. */
PathStep* cg2_pathstep_add(PathStep* from, PathStep* to, Arc* arc, ULong hash);
/* The step of all that is called from a path and has no path. Made on first
 * use. */
PathStep* cg2_pathstep_more(PathStep* from);
/* Says that `cost`, which was counted while the path `from` ran, is of the path
 * `to`, and that `count` calls came back to it. `from` is NULL for what was
 * counted when no path ran. */
void cg2_pathstep_move(PathStep* from,
                       PathStep* to,
                       const ULong* cost,
                       ULong count);

/* Lets a step lead from another path to another. */
void cg2_pathstep_lead(PathStep* step, PathStep* from, PathStep* to);

/* Puts the steps for which `is_first` is true by number in front of the others.
 * They lead from and to paths that are as well. Returns how many there are. */
UInt cg2_pathstep_sort(const Bool* is_first);

/* Removes the steps for which `is_gone` is true by number, of the first `n`;
 * their memory is used again. The others get new numbers, in the same order. No
 * step that stays leads from or to one that goes. */
void cg2_pathstep_remove(const Bool* is_gone, UInt n);

#endif
