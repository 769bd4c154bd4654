#include "engine/pathroom.h"

#include "engine/engineconfig.h"
#include "engine/pathfold.h"

/* Classes of costs: eight for each power of two. */
enum { CLASS_BITS = 3, CLASSES = 64 << CLASS_BITS };

/* The cost of what stays whatever it costs. */
static const Long STAYS = 0x7fffffffffffffffLL;

/* What is decided about the steps that there are, by number. */
typedef struct Choice {
   PathStep* const* steps;
   UInt n;
   Long* costs;   /* of a path: what it costs in all, or STAYS */
   Bool* is_gone; /* The step goes. */
} Choice;

/*--- What paths cost ----------------------------------------------------*/

/* Adds up what each path has cost itself. */
static void sum_own(Choice* c)
{
   for (UInt i = 0; i < c->n; i++) {
      const PathStep* step = c->steps[i];
      Long cost = step->inclusive[EVENT_IR];
      c->costs[step->to->number] += cost;
      if (step->from) c->costs[step->from->number] -= cost;
   }
}

/* Lets a path stay. */
static void keep(Choice* c, const PathStep* path)
{
   if (path) c->costs[path->number] = STAYS;
}

/* Adds to each path what it calls. What a frame is on stays, and all paths that
 * led there, and roots. */
static void sum_all(Choice* c)
{
   for (UInt i = c->n; i > 0; i--) {
      const PathStep* step = c->steps[i - 1];
      Bool is_path = cg2_pathstep_is_path(step);
      Bool is_open = step->n_open || (is_path && c->costs[i - 1] == STAYS);
      if (is_path && !step->from) keep(c, step);
      if (is_open) {
         keep(c, step->to);
         keep(c, step->from);
      } else if (is_path && step->from && c->costs[step->from->number] != STAYS)
         c->costs[step->from->number] += c->costs[i - 1];
   }
}

/* The path that a step goes with: it itself, or the one that makes the call. */
static const PathStep* path_of(const PathStep* step)
{
   const PathStep* path =
      cg2_pathstep_is_path(step) || !step->from ? step->to : step->from;
   return cg2_pathstep_is_more(path) && path->from ? path->from : path;
}

/* The class of a cost: dearer ones have higher numbers. */
static UInt class_of(Long cost)
{
   if (cost < 1 << CLASS_BITS) return cost < 0 ? 0 : cost;
   UInt bits = 63 - __builtin_clzll(cost);
   return ((bits - CLASS_BITS + 1) << CLASS_BITS) +
          ((cost >> (bits - CLASS_BITS)) & ((1 << CLASS_BITS) - 1));
}

/* The lowest class so that `n_wanted` steps go if all up to it do. */
static UInt choose_class(const Choice* c, UInt n_wanted)
{
   UInt counts[CLASSES] = {0}, last = 0, n = 0;
   for (UInt i = 0; i < c->n; i++) {
      Long cost = c->costs[path_of(c->steps[i])->number];
      if (cost != STAYS) counts[class_of(cost)]++;
   }
   for (; last + 1 < CLASSES; last++) {
      n += counts[last];
      if (n >= n_wanted) break;
   }
   return last;
}

/*--- Places are made ----------------------------------------------------*/

/* Whether a path is one of those that go, up to a class. */
static Bool goes(const Choice* c, const PathStep* path, UInt last)
{
   Long cost = c->costs[path->number];
   return cost != STAYS && class_of(cost) <= last;
}

/* Lets each path that goes lead to where its costs go: *more* of the path
 * above that stays. */
static void lead_away(Choice* c, UInt last)
{
   for (UInt i = 0; i < c->n; i++) {
      PathStep* step = c->steps[i];
      if (!cg2_pathstep_is_path(step) || !goes(c, path_of(step), last))
         continue;
      PathStep* above = step->from;
      c->is_gone[i] = True;
      step->to =
         cg2_pathstep_is_path(above) ? cg2_pathstep_more(above) : above->to;
      c->steps = cg2_pathstep_all(&(UInt){0}); /* they may have moved */
   }
}

/* Adds what a step says to one between the paths that stay. */
static void reroute(const PathStep* step)
{
   PathStep* from = step->from ? step->from->to : NULL;
   PathStep* to = step->to->to;
   ULong count = cg2_pathstep_is_hidden(step) ? 0 : step->count;
   if (from == to) return;
   if (!cg2_pathstep_is_more(to) || to->from != from) {
      cg2_pathstep_move(from, to, step->inclusive, count);
      return;
   }
   cg2_cost_add(to->inclusive, step->inclusive);
   to->count += count;
}

/* Reroutes the steps of which an end goes. */
static void reroute_all(Choice* c)
{
   for (UInt i = 0; i < c->n; i++) {
      const PathStep* step = c->steps[i];
      Bool is_gone = c->is_gone[i] || !cg2_pathstep_is_path(step->to) ||
                     (step->from && !cg2_pathstep_is_path(step->from));
      if (!is_gone) continue;
      c->is_gone[i] = True;
      reroute(step);
      c->steps = cg2_pathstep_all(&(UInt){0});
   }
}

/*--- All ----------------------------------------------------------------*/

static Choice begin_choice(void)
{
   Choice c = {0};
   c.steps = cg2_pathstep_all(&c.n);
   c.costs = VG_(calloc)("cg2.pathroom", c.n, sizeof *c.costs);
   c.is_gone = VG_(calloc)("cg2.pathroom", c.n, sizeof *c.is_gone);
   sum_own(&c);
   sum_all(&c);
   return c;
}

static void end_choice(const Choice* c)
{
   VG_(free)(c->costs);
   VG_(free)(c->is_gone);
}

/* Lets recursions fold, but for paths that stay. */
static void fold_recursions(void)
{
   Choice c = begin_choice();
   Bool* stays = c.is_gone;
   for (UInt i = 0; i < c.n; i++)
      stays[i] = c.steps[i]->n_open || c.costs[i] == STAYS;
   cg2_pathfold_all(stays);
   end_choice(&c);
}

/* Lets the cheapest steps go, at least `n_wanted` if so many can. */
static void let_go(UInt n_wanted)
{
   Choice c = begin_choice();
   lead_away(&c, choose_class(&c, n_wanted));
   reroute_all(&c);
   cg2_pathstep_remove(c.is_gone, c.n);
   end_choice(&c);
}

/* Makes room, so that there is some for an eighth at least, if it can. */
static void make_room(UInt max)
{
   if (!cg2_pathfold_is_done()) fold_recursions();
   if (cg2_pathstep_count() > max - max / 8) let_go(max / 4 + 1);
}

Bool cg2_pathroom_is_there(void)
{
   UInt max = cg2_engine_config.paths_max;
   if (cg2_pathstep_count() < max) return True;
   UInt* n_refused = cg2_pathstep_refused();
   if (*n_refused) {
      --*n_refused;
      return False;
   }
   make_room(max);

   /* Where most paths are open, that makes little. */
   UInt n = cg2_pathstep_count();
   if (n > max - max / 8) *n_refused = max / 4;
   return n < max;
}
