#include "check.h"
#include "engine/path.h"
#include "engine/pathfold.h"
#include "guest.h"

static Rules one_level = {.recursion_levels = 1};

typedef struct Program {
   Routine r, d, f, g, h;
} Program;

static Program new_program(void)
{
   Object* object = guest_object("a");
   return (Program){
      .r = guest_routine(object, "r"),
      .d = guest_routine(object, "d"),
      .f = guest_routine(object, "f"),
      .g = guest_routine(object, "g"),
      .h = guest_routine(object, "h"),
   };
}

static Context* context(const Routine* of)
{
   return cg2_context_get(of->function, 0,
                          cg2_context_separation((Separation){.thread = 0}));
}

static Arc* arc(const Routine* from, Block* site, const Routine* to)
{
   return cg2_graph_arc(guest_exit(site), context(from), context(to),
                        to->entry);
}

/* Says that a step was taken once, which cost `cost`; returns where it leads.
 */
static PathStep* take(PathStep* from, Arc* arc, ULong cost)
{
   PathStep* step = cg2_path_find(from, arc);
   step->count++;
   step->inclusive[EVENT_IR] += cost;
   return step->to;
}

static PathStep* take_root(const Routine* r, ULong cost)
{
   return take(NULL, cg2_graph_root(context(r)), cost);
}

/* What a path has cost itself. */
static Long own(const PathStep* path)
{
   UInt n;
   Long cost = 0;
   PathStep* const* steps = cg2_pathstep_all(&n);
   for (UInt i = 0; i < n; i++) {
      if (steps[i]->to == path) cost += steps[i]->inclusive[EVENT_IR];
      if (steps[i]->from == path) cost -= steps[i]->inclusive[EVENT_IR];
   }
   return cost;
}

/* A recursion folds when there is no room: r > f > g > f > g becomes r > f > g,
 * which has the cost of both levels; the call of f by g comes back. */
static void test_recursion(void)
{
   Program p = new_program();
   PathStep* r = take_root(&p.r, 1000);
   PathStep* f = take(r, arc(&p.r, p.r.call, &p.f), 900);
   PathStep* g = take(f, arc(&p.f, p.f.call, &p.g), 700);
   PathStep* f2 = take(g, arc(&p.g, p.g.call, &p.f), 400);
   PathStep* g2 = take(f2, arc(&p.f, p.f.call, &p.g), 100);
   CHECK(f2 != f && g2 != g);
   CHECK_EQ(cg2_pathstep_count(), 5);
   cg2_engine_config.paths_max = 5;
   CHECK(!cg2_pathfold_is_coarse());
   PathStep* h = take(r, arc(&p.r, p.r.jump, &p.h), 50);
   CHECK(cg2_pathfold_is_coarse() && h->from == r);
   CHECK_EQ(cg2_pathstep_count(), 5);
   CHECK(cg2_path_find(f, arc(&p.f, p.f.call, &p.g)) == g);
   PathStep* back = cg2_path_find(g, arc(&p.g, p.g.call, &p.f));
   CHECK(back->from == g && back->to == f);
   CHECK_EQ(g->count, 2);
   CHECK_EQ(back->count, 1);
   CHECK_EQ(own(r), 1000 - 900 - 50);
   CHECK_EQ(own(f), 900 - 700 + 400 - 100);
   CHECK_EQ(own(g), 700 - 400 + 100);
   CHECK_EQ(own(h), 50);
}

/* What a frame is on stays as it is. */
static void test_open(void)
{
   Program p = new_program();
   PathStep* r = take_root(&p.r, 1000);
   PathStep* f = take(r, arc(&p.r, p.r.call, &p.f), 900);
   PathStep* f2 = take(f, arc(&p.f, p.f.call, &p.f), 400);
   PathStep* other = take(f, arc(&p.f, p.f.jump, &p.f), 100);
   f2->n_open = 1;
   CHECK(f2 != f && other != f);
   cg2_engine_config.paths_max = 4;
   cg2_path_find(r, arc(&p.r, p.r.jump, &p.h));
   CHECK(cg2_pathfold_is_done());
   CHECK(f2->to == f2 && f2->from == f);
   CHECK(cg2_path_find(f, arc(&p.f, p.f.call, &p.f)) == f2);
   CHECK_EQ(own(f2), 400);
   CHECK_EQ(own(f), 900 - 400);
}

/* Where the path folds that a call came back on, the calls have a path of their
 * own, and their cost stays where it was. */
static void test_came_back(void)
{
   Program p = new_program();
   p.f.function->rules = &one_level;
   PathStep* r = take_root(&p.r, 1000);
   PathStep* d = take(r, arc(&p.r, p.r.call, &p.d), 900);
   PathStep* f = take(d, arc(&p.d, p.d.call, &p.f), 800);
   PathStep* d2 = take(f, arc(&p.f, p.f.call, &p.d), 600);
   CHECK(take(d2, arc(&p.d, p.d.jump, &p.f), 500) == f);
   PathStep* g = take(f, arc(&p.f, p.f.jump, &p.g), 450);
   cg2_engine_config.paths_max = 6;
   cg2_path_find(r, arc(&p.r, p.r.jump, &p.h));
   const PathStep* again = cg2_path_find(d, arc(&p.d, p.d.jump, &p.f));
   CHECK(again->to == again && again->from == d);
   CHECK_EQ(again->count, 1);
   CHECK_EQ(own(again), 0);
   CHECK_EQ(own(f), 800 - 600 + 500 - 450);
   CHECK_EQ(own(d), 900 - 800 + 600 - 500);
   CHECK_EQ(own(g), 450);
}

/* Costs move to another path by a step; by none where they stay, or where a
 * path is kept nowhere. */
static void test_move(void)
{
   Program p = new_program();
   PathStep* nowhere = cg2_pathstep_nowhere();
   PathStep* r = take_root(&p.r, 1000);
   PathStep* f = take(r, arc(&p.r, p.r.call, &p.f), 900);
   Cost cost = {{0}};
   cost.of[EVENT_IR] = 30;
   cg2_path_move(f, f, cost.of);
   cg2_path_move(nowhere, f, cost.of);
   cg2_path_move(f, nowhere, cost.of);
   cg2_path_move(nowhere, nowhere, cost.of);
   CHECK_EQ(cg2_pathstep_count(), 2);
   CHECK_EQ(own(f), 900);
   cg2_path_move(r, f, cost.of);
   cg2_path_move(NULL, f, cost.of);
   CHECK_EQ(cg2_pathstep_count(), 4);
   CHECK_EQ(own(r), 1000 - 900 - 30);
   CHECK_EQ(own(f), 900 + 30 + 30);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"recursion", test_recursion},
      {"open", test_open},
      {"came_back", test_came_back},
      {"move", test_move},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
