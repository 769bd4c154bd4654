#include "engine/pathfold.h"

Bool cg2_pathfold_is_coarse(void)
{
   return cg2_pathstep_levels()->is_coarse;
}

Bool cg2_pathfold_is_done(void)
{
   return cg2_pathstep_levels()->are_one;
}

/*--- Where calls lead ---------------------------------------------------*/

static const Function* function_of(const PathStep* path)
{
   return path->arc ? path->arc->callee->function : NULL;
}

/* The path that a call of `function` from a path folds to; NULL: to none. */
static PathStep* fold(PathStep* from, const Function* function)
{
   UInt levels = function->rules->recursion_levels;
   PathStep* last = NULL;
   for (PathStep* path = from; path && levels; path = path->from) {
      if (function_of(path) != function) continue;
      if (!last) last = path;
      levels--;
   }
   if (last && levels && cg2_pathstep_levels()->are_one) {
      cg2_pathstep_levels()->is_coarse = True;
      return last;
   }
   return levels ? NULL : last;
}

/* Whether calls by the arcs, neither of them hidden, lead from a path to the
 * same one. Roots of threads that are kept apart are no callees of one path. */
static Bool are_alike(const Arc* a, const Arc* b)
{
   return cg2_pathstep_site(a) == cg2_pathstep_site(b) &&
          a->callee->function == b->callee->function &&
          a->callee->separation->thread == b->callee->separation->thread;
}

/* The step from `from` that leads where a call by `arc` does, by another arc:
 * as one of another recursion level. NULL: there is none. */
static PathStep* find_alike(const PathStep* from, const Arc* arc, ULong hash)
{
   for (TableNode* n = cg2_pathstep_first(hash); n; n = cg2_table_next(n)) {
      PathStep* step = (PathStep*)n;
      if (step->from == from && step->arc && !cg2_pathstep_is_hidden(step) &&
          are_alike(step->arc, arc))
         return step;
   }
   return NULL;
}

PathStep* cg2_pathfold_target(PathStep* from, const Arc* arc, ULong hash)
{
   if (from && cg2_pathstep_hides(arc)) return from;
   const PathStep* alike = find_alike(from, arc, hash);
   return alike ? alike->to : fold(from, arc->callee->function);
}

/*--- Paths that there are -----------------------------------------------*/

/* Whether two steps from the same path say the same of its calls. `to` is where
 * `step` leads. */
static Bool
say_the_same(const PathStep* a, const PathStep* step, const PathStep* to)
{
   if (!a->arc || !step->arc)
      return a->arc == step->arc && a->to == (to == step ? a : to);
   if (cg2_pathstep_is_hidden(a) || cg2_pathstep_is_hidden(step))
      return a->arc == step->arc;
   return are_alike(a->arc, step->arc);
}

/* The step, of those that were folded before, that says the same as `step`,
 * which now leads from `from` to `to`; NULL: there is none. */
static PathStep* find_same(const PathStep* step,
                           const PathStep* from,
                           const PathStep* to,
                           const Bool* is_gone)
{
   ULong hash = cg2_pathstep_hash_of(step, from, to);
   for (TableNode* n = cg2_pathstep_first(hash); n; n = cg2_table_next(n)) {
      PathStep* same = (PathStep*)n;
      if (same->from == from && same->number < step->number &&
          !is_gone[same->number] && say_the_same(same, step, to))
         return same;
   }
   return NULL;
}

/* Where a step leads that is folded and now leads from `from`: as one that says
 * the same, back on the path, or to a path of its own. */
static PathStep*
new_target(PathStep* step, PathStep* from, PathStep* to, const PathStep* same)
{
   if (same) return same->to;
   if (!step->arc || (from && cg2_pathstep_is_hidden(step))) return to;
   PathStep* last = fold(from, step->arc->callee->function);
   return last ? last : step;
}

/* Folds a step, when all that it leads from and to has been folded. Returns
 * whether it goes. */
static Bool fold_step(PathStep* step, const Bool* is_gone)
{
   Bool is_path = cg2_pathstep_is_path(step);
   PathStep* from = step->from ? step->from->to : NULL;
   PathStep* to = is_path ? step : step->to->to;
   PathStep* same = find_same(step, from, to, is_gone);
   PathStep* target = new_target(step, from, to, same);
   Bool is_nothing = !step->arc && from == target;

   /* What the calls called is where they led to before. */
   if (!is_path && target != to)
      cg2_pathstep_move(target, to, step->inclusive, 0);
   if (same) {
      cg2_cost_add(same->inclusive, step->inclusive);
      same->count += step->count;
   }
   if (same || is_nothing)
      step->to = target;
   else
      cg2_pathstep_lead(step, from, target);
   return same || is_nothing;
}

void cg2_pathfold_all(const Bool* is_fixed)
{
   UInt n;
   cg2_pathstep_all(&n);
   Bool* is_gone = VG_(calloc)("cg2.pathfold", n, sizeof *is_gone);
   cg2_pathstep_levels()->are_one = True;
   for (UInt i = cg2_pathstep_sort(is_fixed); i < n; i++)
      is_gone[i] = fold_step(cg2_pathstep_all(&(UInt){0})[i], is_gone);
   cg2_pathstep_remove(is_gone, n);
   VG_(free)(is_gone);
}
