#include "engine/path.h"

#include "engine/pathfold.h"
#include "engine/pathroom.h"

/* Reason for a mutable file-scope object: a cache of the steps that there are.
 */
PathStep* cg2_path_recent[RECENT_STEPS];

UInt cg2_path_thread(const PathStep* step)
{
   while (!step->arc)
      step = step->from ? step->from : step->to;
   return step->arc->callee->separation->thread;
}

/*--- Making steps -------------------------------------------------------*/

static PathStep* find(const PathStep* from, const Arc* arc, ULong hash)
{
   for (TableNode* n = cg2_pathstep_first(hash); n; n = cg2_table_next(n)) {
      PathStep* step = (PathStep*)n;
      if (step->from == from && step->arc == arc) return step;
   }
   return NULL;
}

/* Whether a call by `arc` from a path is not kept. */
static Bool is_nowhere(const PathStep* from, const Arc* arc)
{
   return from == cg2_pathstep_nowhere() ||
          (from && cg2_pathstep_is_more(from)) ||
          arc->callee->separation->is_off;
}

PathStep* cg2_path_find(PathStep* from, Arc* arc)
{
   if (is_nowhere(from, arc)) return cg2_pathstep_nowhere();
   ULong hash =
      cg2_pathstep_hash(from, cg2_pathstep_site(arc), arc->callee->function);
   PathStep* step = find(from, arc, hash);
   if (!step) {
      if (from && !cg2_pathroom_is_there()) return cg2_pathstep_more(from);
      step = find(from, arc, hash); /* which may have come when paths folded */
   }
   if (!step)
      step = cg2_pathstep_add(from, cg2_pathfold_target(from, arc, hash), arc,
                              hash);
   *cg2_path_recent_at(from, arc) = step;
   return step;
}

/*--- Counts and costs ---------------------------------------------------*/

void cg2_path_move(PathStep* from, PathStep* to, const ULong* cost)
{
   const PathStep* nowhere = cg2_pathstep_nowhere();
   if (from != to && from != nowhere && to != nowhere)
      cg2_pathstep_move(from, to, cost, 0);
}

void cg2_path_zero(UInt tid)
{
   UInt n;
   PathStep* const* steps = cg2_pathstep_all(&n);
   for (UInt i = 0; i < n; i++) {
      PathStep* step = steps[i];
      if (tid && cg2_path_thread(step) != tid) continue;
      step->count = 0;
      cg2_cost_clear(step->inclusive);
   }
}
