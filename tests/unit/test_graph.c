#include "check.h"
#include "engine/graph.h"
#include "guest.h"

typedef struct Pair {
   Routine caller, callee;
   Context *from, *to;
} Pair;

static Pair new_pair(void)
{
   Object* object = guest_object("a");
   Pair p = {.caller = guest_routine(object, "caller"),
             .callee = guest_routine(object, "callee")};
   p.from = cg2_context_get(p.caller.function, 0,
                            cg2_context_separation((Separation){.thread = 0}));
   p.to = cg2_context_get(p.callee.function, 0,
                          cg2_context_separation((Separation){.thread = 0}));
   return p;
}

/* An arc is made once; it knows what a repeated call needs. */
static void test_arc(void)
{
   Pair p = new_pair();
   Exit* exit = guest_exit(p.caller.call);
   Arc* arc = cg2_graph_arc(exit, p.from, p.to, p.callee.entry);
   CHECK(arc->exit == exit && cg2_arc_caller(arc) == p.from &&
         arc->callee == p.to);
   CHECK(arc->cells == cg2_context_cells(p.to, p.callee.entry->home));
   CHECK(arc->cells == &p.to->own);
   CHECK(arc->caller_cells == &p.from->own);
   CHECK(arc->active == p.callee.function->active);
   CHECK_EQ(arc->count, 0);
   CHECK(cg2_cost_is_zero(arc->inclusive));
   CHECK(cg2_cost_is_zero(cg2_arc_skipped(arc)));
   CHECK(exit->recent == arc);
   CHECK(p.callee.entry->recent == arc);
   CHECK(p.from->arcs == arc && !arc->next_of_caller);
   cg2_exit_forget(exit);
   CHECK(cg2_graph_arc(exit, p.from, p.to, p.callee.entry) == arc);
   CHECK(exit->recent == arc);
   CHECK(!arc->next_of_caller);
}

/* Each of exit, caller and callee makes another arc; the target does not. */
static void test_key(void)
{
   Pair p = new_pair();
   Exit* exit = guest_exit(p.caller.call);
   Exit* jump = guest_exit(p.caller.jump);
   Context* deeper = cg2_context_get(
      p.caller.function, 1, cg2_context_separation((Separation){.thread = 0}));
   Context* again = cg2_context_get(
      p.callee.function, 1, cg2_context_separation((Separation){.thread = 0}));
   Arc* arc = cg2_graph_arc(exit, p.from, p.to, p.callee.entry);
   Arc* other[] = {
      cg2_graph_arc(jump, p.from, p.to, p.callee.entry),
      cg2_graph_arc(exit, deeper, p.to, p.callee.entry),
      cg2_graph_arc(exit, p.from, again, p.callee.entry),
      cg2_graph_lost(exit, p.from),
      cg2_graph_root(p.to),
   };
   for (UInt i = 0; i < 5; i++) {
      CHECK(other[i] != arc);
      for (UInt j = 0; j < i; j++)
         CHECK(other[i] != other[j]);
   }
   CHECK(cg2_graph_arc(exit, p.from, p.to, p.callee.work) == arc);
   CHECK(arc->cells == cg2_context_cells(p.to, p.callee.work->home));
   CHECK_EQ(guest_calls(p.from, p.to), 0);
}

/* A call that arrives in code of another home counts in the callee's cells for
 * that home. */
static void test_foreign_target(void)
{
   Pair p = new_pair();
   Block* part = guest_block_unnamed(p.caller.function, 1, EXIT_NONE);
   Context* callee =
      cg2_context_get(cg2_block_called(part), 0,
                      cg2_context_separation((Separation){.thread = 0}));
   Arc* arc = cg2_graph_arc(guest_exit(p.caller.call), p.from, callee, part);
   CHECK(arc->cells->home == p.caller.function);
   CHECK(arc->cells != &p.from->own);
   CHECK(arc->cells == cg2_context_cells(callee, p.caller.function));
}

/* A call from code of another home returns to the caller's cells for that. */
static void test_foreign_site(void)
{
   Pair p = new_pair();
   Routine other = guest_routine(p.caller.function->object, "other");
   Arc* arc =
      cg2_graph_arc(guest_exit(other.call), p.from, p.to, p.callee.entry);
   CHECK(arc->caller_cells != &p.from->own);
   CHECK(arc->caller_cells == cg2_context_cells(p.from, other.function));
}

/* Stub costs of lost calls belong to the caller; nobody calls a root. */
static void test_lost_and_root(void)
{
   Pair p = new_pair();
   Exit* exit = guest_exit(p.caller.call);
   Arc* lost = cg2_graph_lost(exit, p.from);
   CHECK(!lost->callee && p.from->arcs == lost && !exit->recent);
   CHECK(cg2_graph_lost(exit, p.from) == lost);
   Arc* root = cg2_graph_root(p.to);
   CHECK(!cg2_arc_caller(root) && !root->exit);
   CHECK(root->active == p.callee.function->active);
   CHECK(cg2_graph_root(p.to) == root);
   CHECK(!p.to->arcs);
}

static void test_zero(void)
{
   Pair p = new_pair();
   Arc* arc =
      cg2_graph_arc(guest_exit(p.caller.call), p.from, p.to, p.callee.entry);
   arc->count = 3;
   arc->inclusive[EVENT_IR] = cg2_arc_skipped(arc)[EVENT_IR] = 4;
   p.to->own.counts[p.callee.entry->slot] = 5;
   cg2_context_skipped(p.to)[EVENT_IR] = 6;
   Arc* root = cg2_graph_root(p.to);
   root->count = 7;
   root->inclusive[EVENT_IR] = 8;
   cg2_graph_zero(0);
   CHECK_EQ(root->count, 0);
   CHECK(cg2_cost_is_zero(root->inclusive));
   CHECK(cg2_cost_is_zero(p.to->skipped));
   CHECK_EQ(arc->count, 0);
   CHECK(cg2_cost_is_zero(arc->inclusive));
   CHECK(cg2_cost_is_zero(cg2_arc_skipped(arc)));
   CHECK_EQ(p.to->own.counts[p.callee.entry->slot], 0);
   CHECK(guest_arc(guest_exit(p.caller.call), p.from, p.to) == arc);
}

/* Arcs of one call site to very many callees are all found again. */
static void test_many(void)
{
   enum { N = 20 * 1000 };
   static Context* callees[N];
   static Arc* arcs[N];
   Pair p = new_pair();
   Exit* exit = guest_exit(p.caller.call);
   for (UInt i = 0; i < N; i++) {
      HChar name[20];
      VG_(sprintf)(name, "f%u", i);
      Function* f = guest_function(p.callee.function->object, name);
      Block* entry = guest_block(f, 1, EXIT_NONE);
      callees[i] = cg2_context_get(
         f, 0, cg2_context_separation((Separation){.thread = 0}));
      arcs[i] = cg2_graph_arc(exit, p.from, callees[i], entry);
   }
   for (UInt i = 0; i < N; i++) {
      Block* entry = callees[i]->function->blocks;
      CHECK(cg2_graph_arc(exit, p.from, callees[i], entry) == arcs[i]);
      CHECK(entry->recent == arcs[i]);
   }
}

/* The twin of an arc leads from twin to twin, and has counts of its own. */
static void test_twin(void)
{
   Pair p = new_pair();
   Exit* exit = guest_exit(p.caller.call);
   Arc* arc = cg2_graph_arc(exit, p.from, p.to, p.callee.entry);
   arc->count = 5;
   arc->inclusive[EVENT_IR] = 50;
   Arc* twin = cg2_graph_twin(arc, True);
   Context* from = cg2_context_twin(p.from, True);
   Context* to = cg2_context_twin(p.to, True);
   CHECK(twin != arc && cg2_graph_twin(arc, False) == arc);
   CHECK(cg2_graph_twin(twin, True) == twin);
   CHECK(cg2_graph_twin(twin, False) == arc);
   CHECK(twin->exit == exit && cg2_arc_caller(twin) == from &&
         twin->callee == to);
   CHECK(twin->cells == &to->own && twin->caller_cells == &from->own);
   CHECK(twin->active == arc->active && twin->span == arc->span);
   CHECK_EQ(twin->count, 0);
   CHECK(cg2_cost_is_zero(twin->inclusive));
   CHECK(from->arcs == twin && p.from->arcs == arc);
   CHECK(exit->recent == arc);
}

/* Where a call has cells of other homes, its twin has, too; a root's has no
 * caller. */
static void test_twin_of_other_homes(void)
{
   Pair p = new_pair();
   Exit* exit = guest_exit(p.callee.call); /* in code of the other's home */
   Arc* arc = cg2_graph_arc(exit, p.from, p.to, p.caller.work);
   Arc* twin = cg2_graph_twin(arc, True);
   CHECK(twin->cells->home == p.caller.function &&
         twin->cells->context == twin->callee);
   CHECK(twin->caller_cells->home == p.callee.function &&
         twin->caller_cells->context == cg2_context_twin(p.from, True));
   Arc* root = cg2_graph_root(p.to);
   Arc* other = cg2_graph_twin(root, True);
   CHECK(other == cg2_graph_root(cg2_context_twin(p.to, True)));
   CHECK(!cg2_arc_caller(other) && other != root);
   CHECK(cg2_graph_twin(other, False) == root);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"arc", test_arc},
      {"key", test_key},
      {"foreign_target", test_foreign_target},
      {"foreign_site", test_foreign_site},
      {"lost_and_root", test_lost_and_root},
      {"zero", test_zero},
      {"many", test_many},
      {"twin", test_twin},
      {"twin_of_other_homes", test_twin_of_other_homes},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
