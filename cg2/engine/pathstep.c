#include "engine/pathstep.h"

#include "base/arena.h"

/* Reason for a mutable file-scope object: the process has one tree. */
static struct {
   Table table;
   PathStep** all; /* in the order in which they were made */
   UInt n, max;
   UInt n_more;    /* of these, those that are *more* */
   PathStep* free; /* removed, linked by `from`, without an arc */
   UInt n_refused; /* see cg2_pathstep_refused */
   PathLevels levels;
   union {
      PathStep step;
      HChar room[sizeof(PathStep) + EVENTS_MAX * sizeof(ULong)];
   } nowhere;
} steps = {.nowhere.step.to = &steps.nowhere.step};

PathStep* cg2_pathstep_nowhere(void)
{
   return &steps.nowhere.step;
}

PathLevels* cg2_pathstep_levels(void)
{
   return &steps.levels;
}

UInt* cg2_pathstep_refused(void)
{
   return &steps.n_refused;
}

/*--- What a step is -----------------------------------------------------*/

const Exit* cg2_pathstep_site(const Arc* arc)
{
   const Context* caller = cg2_arc_caller(arc);
   Bool is_hidden = caller && caller->separation->payer;
   return is_hidden ? caller->separation->payer_exit : arc->exit;
}

Bool cg2_pathstep_hides(const Arc* arc)
{
   const Context* callee = arc->callee;
   return callee->separation->payer ||
          (callee == cg2_arc_caller(arc) &&
           callee->function->rules->skips_direct_recursion);
}

/*--- Where steps are ----------------------------------------------------*/

TableNode* cg2_pathstep_first(ULong hash)
{
   return cg2_table_first(&steps.table, hash);
}

ULong cg2_pathstep_hash(const PathStep* from,
                        const void* site,
                        const void* function)
{
   ULong hash = cg2_hash_word(0, (UWord)from);
   hash = cg2_hash_word(hash, (UWord)site);
   return cg2_hash_word(hash, (UWord)function);
}

ULong cg2_pathstep_hash_of(const PathStep* step,
                           const PathStep* from,
                           const PathStep* to)
{
   if (cg2_pathstep_is_more(step)) return cg2_pathstep_hash(from, &steps, NULL);
   if (!step->arc) return cg2_pathstep_hash(from, NULL, to);
   return cg2_pathstep_hash(from, cg2_pathstep_site(step->arc),
                            step->arc->callee->function);
}

PathStep* const* cg2_pathstep_all(UInt* n)
{
   *n = steps.n;
   return steps.all;
}

UInt cg2_pathstep_count(void)
{
   return steps.n - steps.n_more;
}

/*--- Changes ------------------------------------------------------------*/

static SizeT step_size(void)
{
   return sizeof(PathStep) + cg2_events.n * sizeof(ULong);
}

/* A step that is all 0. */
static PathStep* take_memory(void)
{
   PathStep* step = steps.free;
   if (!step) return cg2_arena_new_line(step_size(), 0);
   steps.free = step->from;
   VG_(memset)(step, 0, step_size());
   return step;
}

PathStep* cg2_pathstep_add(PathStep* from, PathStep* to, Arc* arc, ULong hash)
{
   PathStep* step = take_memory();
   step->from = from;
   step->to = to ? to : step;
   step->arc = arc;
   if (steps.n == steps.max) {
      steps.max = steps.max ? 2 * steps.max : 1024;
      steps.all =
         VG_(realloc)("cg2.steps", steps.all, steps.max * sizeof *steps.all);
   }
   step->number = steps.n;
   steps.all[steps.n++] = step;
   steps.n_more += cg2_pathstep_is_more(step);
   cg2_table_add(&steps.table, &step->node, hash);
   return step;
}

/* The step without an arc from a path to `to`; NULL: there is none. */
static PathStep*
find_without_arc(const PathStep* from, const PathStep* to, ULong hash)
{
   for (TableNode* n = cg2_pathstep_first(hash); n; n = cg2_table_next(n)) {
      PathStep* step = (PathStep*)n;
      if (step->from == from && !step->arc && step->to == (to ? to : step))
         return step;
   }
   return NULL;
}

PathStep* cg2_pathstep_more(PathStep* from)
{
   ULong hash = cg2_pathstep_hash(from, &steps, NULL);
   PathStep* more = find_without_arc(from, NULL, hash);
   return more ? more : cg2_pathstep_add(from, NULL, NULL, hash);
}

void cg2_pathstep_move(PathStep* from,
                       PathStep* to,
                       const ULong* cost,
                       ULong count)
{
   ULong hash = cg2_pathstep_hash(from, NULL, to);
   PathStep* step = find_without_arc(from, to, hash);
   if (!step) step = cg2_pathstep_add(from, to, NULL, hash);
   cg2_cost_add(step->inclusive, cost);
   step->count += count;
}

void cg2_pathstep_lead(PathStep* step, PathStep* from, PathStep* to)
{
   ULong hash = cg2_pathstep_hash_of(step, from, to);
   step->from = from;
   step->to = to;
   if (hash == step->node.hash) return;
   cg2_table_remove(&steps.table, &step->node);
   cg2_table_add(&steps.table, &step->node, hash);
}

UInt cg2_pathstep_sort(const Bool* is_first)
{
   UInt n_first = 0, n_others = 0;
   PathStep** others =
      VG_(malloc)("cg2.pathsort", (steps.n + 1) * sizeof *others);
   for (UInt i = 0; i < steps.n; i++)
      if (is_first[i])
         steps.all[n_first++] = steps.all[i];
      else
         others[n_others++] = steps.all[i];
   VG_(memcpy)(steps.all + n_first, others, n_others * sizeof *others);
   for (UInt i = 0; i < steps.n; i++)
      steps.all[i]->number = i;
   VG_(free)(others);
   return n_first;
}

static void release(PathStep* step)
{
   cg2_table_remove(&steps.table, &step->node);
   step->arc = NULL; /* so that nothing finds it among recent steps */
   step->from = steps.free;
   steps.free = step;
}

void cg2_pathstep_remove(const Bool* is_gone, UInt n)
{
   UInt kept = 0;
   for (UInt i = 0; i < steps.n; i++) {
      PathStep* step = steps.all[i];
      if (i < n && is_gone[i]) {
         /* A path that goes leads elsewhere already. */
         release(step);
         continue;
      }
      step->number = kept;
      steps.all[kept++] = step;
   }
   steps.n = kept;
   steps.n_more = 0;
   for (UInt i = 0; i < kept; i++)
      steps.n_more += cg2_pathstep_is_more(steps.all[i]);
}
