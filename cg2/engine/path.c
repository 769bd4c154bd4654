#include "engine/path.h"

#include "base/arena.h"

/* Reason for a mutable file-scope object: a cache of `steps`. */
PathStep* cg2_path_recent[RECENT_STEPS];

/* Reason for a mutable file-scope object: the process has one tree. */
static struct {
   Table table;
   PathStep** all; /* in the order in which they were made */
   UInt n, max;
   UInt n_more; /* of these, those that cg2_path_is_more */
   /* The step of all calls that are not kept: while collection is off, and
    * behind a path that takes what there was no room for. It is charged like
    * any other; what it counts is nobody's. */
   union {
      PathStep step;
      HChar room[sizeof(PathStep) + EVENTS_MAX * sizeof(ULong)];
   } nowhere;
} steps = {.nowhere.step.to = &steps.nowhere.step};

/*--- What a step is -----------------------------------------------------*/

static const Exit* site_of(const Arc* arc)
{
   const Context* caller = cg2_arc_caller(arc);
   Bool is_hidden = caller && caller->separation->payer;
   return is_hidden ? caller->separation->payer_exit : arc->exit;
}

/* Whether profiles show no call of the arc: it is of a skipped function, or of
 * itself by one whose calls of itself are skipped. */
static Bool is_hidden(const Arc* arc)
{
   const Context* callee = arc->callee;
   return callee->separation->payer ||
          (callee == cg2_arc_caller(arc) &&
           callee->function->rules->skips_direct_recursion);
}

Bool cg2_path_is_hidden(const PathStep* step)
{
   return step->arc && is_hidden(step->arc);
}

const Exit* cg2_path_site(const PathStep* step)
{
   return site_of(step->arc);
}

UInt cg2_path_thread(const PathStep* step)
{
   while (!step->arc)
      step = step->from ? step->from : step->to;
   return step->arc->callee->separation->thread;
}

PathStep* const* cg2_path_all(UInt* n)
{
   *n = steps.n;
   return steps.all;
}

/*--- Making steps -------------------------------------------------------*/

static PathStep* add(PathStep* from, Arc* arc, ULong hash)
{
   SizeT size = sizeof(PathStep) + cg2_events.n * sizeof(ULong);
   PathStep* step = cg2_arena_new_line(size, 0);
   step->from = from;
   step->to = step;
   step->arc = arc;
   if (steps.n == steps.max) {
      steps.max = steps.max ? 2 * steps.max : 1024;
      steps.all =
         VG_(realloc)("cg2.steps", steps.all, steps.max * sizeof *steps.all);
   }
   step->number = steps.n;
   steps.all[steps.n++] = step;
   cg2_table_add(&steps.table, &step->node, hash);
   return step;
}

static ULong
key_hash(const PathStep* from, const void* site, const void* function)
{
   ULong hash = cg2_hash_word(0, (UWord)from);
   hash = cg2_hash_word(hash, (UWord)site);
   return cg2_hash_word(hash, (UWord)function);
}

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
   return levels ? NULL : last;
}

/* Whether calls by the arcs, neither of them hidden, lead from a path to the
 * same one. Roots of threads that are kept apart are no callees of one path. */
static Bool are_alike(const Arc* a, const Arc* b)
{
   return site_of(a) == site_of(b) &&
          a->callee->function == b->callee->function &&
          a->callee->separation->thread == b->callee->separation->thread;
}

/* The step from `from` that leads where a call by `arc` does, by another arc:
 * as one of another recursion level. NULL: there is none. */
static PathStep* find_alike(const PathStep* from, const Arc* arc, ULong hash)
{
   for (TableNode* n = cg2_table_first(&steps.table, hash); n;
        n = cg2_table_next(n)) {
      PathStep* step = (PathStep*)n;
      if (step->from == from && step->arc && !is_hidden(step->arc) &&
          are_alike(step->arc, arc))
         return step;
   }
   return NULL;
}

/* Where a step leads that has just been asked for; NULL: to a new path. */
static PathStep* target(PathStep* from, const Arc* arc, ULong hash)
{
   if (from && is_hidden(arc)) return from;
   const PathStep* alike = find_alike(from, arc, hash);
   return alike ? alike->to : fold(from, arc->callee->function);
}

static PathStep* find(const PathStep* from, const Arc* arc, ULong hash)
{
   for (TableNode* n = cg2_table_first(&steps.table, hash); n;
        n = cg2_table_next(n)) {
      PathStep* step = (PathStep*)n;
      if (step->from == from && step->arc == arc) return step;
   }
   return NULL;
}

/* The path that takes what is called from a path and has no room. */
static PathStep* more(PathStep* from)
{
   ULong hash = key_hash(from, &steps, NULL);
   for (TableNode* n = cg2_table_first(&steps.table, hash); n;
        n = cg2_table_next(n))
      if (((PathStep*)n)->from == from && cg2_path_is_more((PathStep*)n))
         return (PathStep*)n;
   steps.n_more++;
   return add(from, NULL, hash);
}

/* Whether a call by `arc` from a path is not kept. */
static Bool is_nowhere(const PathStep* from, const Arc* arc)
{
   return from == &steps.nowhere.step || (from && cg2_path_is_more(from)) ||
          arc->callee->separation->is_off;
}

PathStep* cg2_path_find(PathStep* from, Arc* arc)
{
   if (is_nowhere(from, arc)) return &steps.nowhere.step;
   ULong hash = key_hash(from, site_of(arc), arc->callee->function);
   PathStep* step = find(from, arc, hash);
   if (!step) {
      if (steps.n - steps.n_more >= cg2_engine_config.paths_max)
         return more(from);
      PathStep* to = target(from, arc, hash);
      step = add(from, arc, hash);
      if (to) step->to = to;
   }
   *cg2_path_recent_at(from, arc) = step;
   return step;
}

/*--- Counts and costs ---------------------------------------------------*/

void cg2_path_move(PathStep* from, PathStep* to, const ULong* cost)
{
   if (from == to || from == &steps.nowhere.step || to == &steps.nowhere.step)
      return;
   ULong hash = key_hash(from, NULL, to);
   TableNode* n = cg2_table_first(&steps.table, hash);
   while (n && !(((PathStep*)n)->from == from && !((PathStep*)n)->arc &&
                 ((PathStep*)n)->to == to))
      n = cg2_table_next(n);
   PathStep* step = n ? (PathStep*)n : add(from, NULL, hash);
   step->to = to;
   cg2_cost_add(step->inclusive, cost);
}

void cg2_path_zero(UInt tid)
{
   for (UInt i = 0; i < steps.n; i++) {
      PathStep* step = steps.all[i];
      if (tid && cg2_path_thread(step) != tid) continue;
      step->count = 0;
      cg2_cost_clear(step->inclusive);
   }
}
