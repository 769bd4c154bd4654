#include "check.h"
#include "engine/leaps.h"
#include "guest.h"
#include "profile/callgrind/rounds.h"
#include "profile/callgrind/selection.h"
#include "profile/callgrind/view.h"

static const Name* file(const HChar* text)
{
   return cg2_names_intern(&cg2_code.file_names, text);
}

static Function*
new_function(Object* object, const HChar* name, const HChar* in_file)
{
   return guest_function_in(object, name, in_file, 1);
}

static Context* new_context(Function* f, UInt level)
{
   if (!f->blocks) guest_block(f, 1, EXIT_NONE);
   Context* context = cg2_context_get(
      f, level - 1, cg2_context_separation((Separation){.thread = 0}));
   context->own.counts[0] = 1;
   return context;
}

/*--- Contexts -----------------------------------------------------------*/

/* By object, size of its text, file, name, address, level. */
static void test_order(void)
{
   Object* b = guest_object("b.so");
   Object* a = guest_object("a.so");
   const Name* name = cg2_names_intern(&cg2_code.object_names, "a.so");
   Object* larger = cg2_code_add_object(name, 100);
   Function* of_b = new_function(b, "alpha", "a.c");
   Function* of_larger = new_function(larger, "alpha", "a.c");
   Function* zeta = new_function(a, "zeta", "a.c");
   Function* other = new_function(a, "alpha", "b.c");
   Function* unnamed_1 = cg2_code_function_at(a, 0x100);
   Function* unnamed_2 = cg2_code_function_at(a, 0x200);
   Function* first = new_function(a, "beta", "a.c");
   Context* expected[] = {
      new_context(unnamed_1, 1), new_context(unnamed_2, 1),
      new_context(first, 1),     new_context(zeta, 1),
      new_context(zeta, 2),      new_context(zeta, 3),
      new_context(other, 1),     new_context(of_larger, 1),
      new_context(of_b, 1),
   };
   for (host.order = 0; host.order < 20; host.order++) {
      UInt n;
      const Context** contexts = cg2_selection_contexts(&n, 0);
      CHECK_EQ(n, 9);
      for (UInt i = 0; i < n; i++)
         CHECK(contexts[i] == expected[i]);
      VG_(free)(contexts);
   }
}

/* Only contexts with costs or calls, of whatever kind. */
static void test_which(void)
{
   Object* object = guest_object("a");
   Routine r[7];
   Context* c[7];
   for (UInt i = 0; i < 7; i++) {
      HChar name[] = {'f', '0' + i, '\0'};
      r[i] = guest_routine(object, name);
      c[i] = cg2_context_get(r[i].function, 0,
                             cg2_context_separation((Separation){.thread = 0}));
   }
   UInt n;
   CHECK(!cg2_selection_contexts(&n, 0));
   CHECK_EQ(n, 0);
   c[1]->own.counts[r[1].leave->slot] = 1;
   cg2_context_cells(c[2], r[3].function)->counts[0] = 1;
   cg2_graph_arc(guest_exit(r[4].call), c[4], c[0], r[0].entry)->count = 1;
   cg2_arc_skipped(cg2_graph_lost(guest_exit(r[5].call), c[5]))[EVENT_IR] = 1;
   cg2_graph_arc(guest_exit(r[0].call), c[0], c[1], r[1].entry);
   cg2_context_skipped(c[6])[EVENT_IR] = 1;
   const Context** contexts = cg2_selection_contexts(&n, 0);
   static const UInt expected[] = {1, 2, 4, 5, 6};
   CHECK_EQ(n, 5);
   for (UInt i = 0; i < n; i++)
      CHECK(contexts[i] == c[expected[i]]);
   VG_(free)(contexts);
}

static void test_many(void)
{
   Object* object = guest_object("a");
   for (UInt i = 5000; i > 0; i--)
      new_context(cg2_code_function_at(object, i), 1);
   UInt n;
   const Context** contexts = cg2_selection_contexts(&n, 0);
   CHECK_EQ(n, 5000);
   for (UInt i = 0; i < n; i++)
      CHECK_EQ(contexts[i]->function->offset, i + 1);
   VG_(free)(contexts);
}

static void test_count_blocks(void)
{
   Object* object = guest_object("a");
   Routine f = guest_routine(object, "f"), g = guest_routine(object, "g");
   guest_switch(1, 0x1000);
   guest_run(f.entry);
   for (UInt i = 0; i < 10; i++) {
      guest_call(&f, &g);
      guest_run(g.work);
      guest_run_side(g.work);
      guest_return(&g, &f);
   }
   guest_run(f.jump);
   guest_run(g.work);
   CHECK_EQ(cg2_selection_count_blocks(0), 1 + 10 * 6 + 2);
}

/*--- Costs --------------------------------------------------------------*/

static void check_cost(const View* view,
                       UInt i,
                       Addr instr,
                       const HChar* in_file,
                       UInt line,
                       ULong cost)
{
   CHECK(i < view->items.n_costs);
   if (i >= view->items.n_costs) return;
   const CostItem* c = &view->items.costs[i];
   CHECK_EQ(c->at.of[POSITION_INSTR], instr);
   CHECK_TEXT(c->at.file->text, in_file);
   CHECK_EQ(c->at.of[POSITION_LINE], line);
   CHECK_EQ(cg2_items_vector(&view->items, c->self)[EVENT_IR], cost);
}

/* Two blocks; lines that recur, in another file between them. */
static Context* scattered(void)
{
   Object* object = guest_object("a");
   Function* f = new_function(object, "f", "own.c");
   Block* b = guest_block(f, 4, EXIT_NONE);
   guest_position(b, 0, "own.c", 7);
   guest_position(b, 1, "inline.h", 3);
   guest_position(b, 2, "own.c", 7);
   guest_position(b, 3, "another.h", 9);
   Block* other = guest_block_with_side(f, 1, 2, EXIT_NONE);
   guest_position(other, 0, "own.c", 5);
   guest_position(other, 1, "inline.h", 3);
   guest_position(other, 2, "own.c", 7);
   Context* c =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   c->own.counts[b->slot] = 10;
   c->own.counts[other->slot] = 100;
   c->own.counts[other->slot + 1] = 1000;
   return c;
}

/* The function's own file first, then the others by name. */
static void test_by_line(void)
{
   Context* c = scattered();
   View view = {.positions = {.has[POSITION_LINE] = True}};
   cg2_view_fill(&view, c);
   CHECK_EQ(view.items.n_costs, 4);
   check_cost(&view, 0, 0, "own.c", 5, 100);
   check_cost(&view, 1, 0, "own.c", 7, 10 + 10 + 1000);
   check_cost(&view, 2, 0, "another.h", 9, 10);
   check_cost(&view, 3, 0, "inline.h", 3, 10 + 1000);
   CHECK(view.context == c);
   cg2_view_free(&view);
}

static void test_by_instr(void)
{
   Context* c = scattered();
   Addr start = c->function->offset;
   View view = {
      .positions = {.has[POSITION_INSTR] = True, .has[POSITION_LINE] = True}};
   cg2_view_fill(&view, c);
   CHECK_EQ(view.items.n_costs, 7);
   check_cost(&view, 0, start, "own.c", 7, 10);
   check_cost(&view, 1, start + 4, "inline.h", 3, 10);
   check_cost(&view, 2, start + 8, "own.c", 7, 10);
   check_cost(&view, 3, start + 12, "another.h", 9, 10);
   check_cost(&view, 4, start + 16, "own.c", 5, 100);
   check_cost(&view, 5, start + 20, "inline.h", 3, 1000);
   check_cost(&view, 6, start + 24, "own.c", 7, 1000);
   view.positions.has[POSITION_LINE] = False;
   cg2_view_fill(&view, c);
   CHECK_EQ(view.items.n_costs, 7);
   check_cost(&view, 6, start + 24, "own.c", 0, 1000);
   cg2_view_free(&view);
}

/* What did not run does not show, also in the middle of a block. */
/* An event that happens each time, and one that is counted. */
static void test_events(void)
{
   UInt bus = cg2_event_add("Ge", NULL),
        calls = cg2_event_add("sysCount", NULL);
   BlockEvent events[] = {{.instr = 0, .event = bus, .times = 2},
                          {.instr = 2, .event = bus, .times = 1},
                          {.instr = 2, .event = calls}};
   Function* f = guest_function_in(guest_object("a"), "f", "own.c", 10);
   Block* b = guest_block_with_events(f, 3, events, 3);
   Block* other = guest_block(f, 2, EXIT_RETURN);
   for (UInt i = 0; i < 3; i++)
      guest_position(b, i, "own.c", 10 + i);
   guest_position(other, 0, "own.c", 10);
   CHECK_EQ(cg2_block_slot_of(b, 2, calls), b->slot + 1);
   CHECK_EQ(other->slot, b->slot + 2);
   Context* c =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   c->own.counts[b->slot] = 5;
   c->own.counts[b->slot + 1] = 4;
   c->own.counts[other->slot] = 1;
   View view = {.positions = {.has[POSITION_LINE] = True}};
   cg2_view_fill(&view, c);
   static const ULong expected[][3] = {{6, 10, 0}, {5, 0, 0}, {5, 5, 4}};
   for (UInt i = 0; i < 3; i++)
      for (UInt e = 0; e < 3; e++)
         CHECK_EQ(cg2_items_vector(&view.items, view.items.costs[i].self)[e],
                  expected[i][e]);
   cg2_view_free(&view);
}

static void test_not_run(void)
{
   Function* f = new_function(guest_object("a"), "f", "own.c");
   Block* b = guest_block_with_side(f, 1, 1, EXIT_NONE);
   guest_position(b, 0, "own.c", 1);
   guest_position(b, 1, "own.c", 2);
   Context* c =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   c->own.counts[b->slot] = 5;
   View view = {.positions = {.has[POSITION_LINE] = True}};
   cg2_view_fill(&view, c);
   CHECK_EQ(view.items.n_costs, 1);
   check_cost(&view, 0, 0, "own.c", 1, 5);
   cg2_view_fill(
      &view,
      cg2_context_get(f, 1, cg2_context_separation((Separation){.thread = 0})));
   CHECK_EQ(view.items.n_costs, 0);
   CHECK_EQ(view.items.n_calls, 0);
   cg2_view_free(&view);
}

/* What stubs cost on the way to a root shows at its beginning. */
static void test_skipped_root(void)
{
   Function* f = guest_function_in(guest_object("a"), "f", "own.c", 40);
   Block* b = guest_block(f, 2, EXIT_NONE);
   guest_position(b, 0, "own.c", 40);
   guest_position(b, 1, "own.c", 41);
   Context* c =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   c->own.counts[0] = 5;
   cg2_context_skipped(c)[EVENT_IR] = 2;
   View view = {.positions = {.has[POSITION_LINE] = True}};
   cg2_view_fill(&view, c);
   CHECK_EQ(view.items.n_costs, 2);
   check_cost(&view, 0, 0, "own.c", 40, 7);
   check_cost(&view, 1, 0, "own.c", 41, 5);
   cg2_view_free(&view);
}

/* A block that was translated twice: equal positions add up. */
static void test_twice_translated(void)
{
   Function* f = new_function(guest_object("a"), "f", "own.c");
   Block* b = guest_block(f, 3, EXIT_NONE);
   for (UInt i = 0; i < 3; i++)
      guest_position(b, i, "own.c", 1 + i);
   static const UShort instrs[] = {0, INSTR_BYTES}, segments[] = {2};
   BlockShape shape = {.object = f->object,
                       .offset = b->offset + INSTR_BYTES,
                       .n_instrs = 2,
                       .n_segments = 1,
                       .instrs = instrs,
                       .segments = segments};
   Block* overlapping = cg2_block_add(&shape, f, f);
   guest_position(overlapping, 0, "own.c", 2);
   guest_position(overlapping, 1, "own.c", 3);
   cg2_context_grow_cells(f);
   Context* c =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   c->own.counts[b->slot] = 1;
   c->own.counts[overlapping->slot] = 10;
   View view = {
      .positions = {.has[POSITION_INSTR] = True, .has[POSITION_LINE] = True}};
   for (host.order = 0; host.order < 10; host.order++) {
      cg2_view_fill(&view, c);
      CHECK_EQ(view.items.n_costs, 3);
      check_cost(&view, 0, b->offset, "own.c", 1, 1);
      check_cost(&view, 1, b->offset + INSTR_BYTES, "own.c", 2, 11);
      check_cost(&view, 2, b->offset + 2 * INSTR_BYTES, "own.c", 3, 11);
   }
   cg2_view_free(&view);
}

/* Code of another home that ran in this context. */
static void test_foreign(void)
{
   Object* object = guest_object("a");
   Function* f = new_function(object, "f", "f.c");
   Function* g = new_function(object, "g", "g.c");
   Block* b = guest_block(g, 1, EXIT_NONE);
   guest_position(b, 0, "g.c", 8);
   Context* c =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   cg2_context_cells(c, g)->counts[0] = 4;
   cg2_context_cells(
      cg2_context_get(g, 0, cg2_context_separation((Separation){.thread = 0})),
      g)
      ->counts[0] = 50;
   View view = {.positions = {.has[POSITION_LINE] = True}};
   cg2_view_fill(&view, c);
   CHECK_EQ(view.items.n_costs, 1);
   check_cost(&view, 0, 0, "g.c", 8, 4);
   cg2_view_free(&view);
}

/* The same view goes from context to context: what the last one held is gone.
 */
static void test_reuse(void)
{
   Context* large = scattered();
   Function* f = new_function(guest_object("b"), "f", "own.c");
   Block* b = guest_block(f, 1, EXIT_NONE);
   guest_position(b, 0, "own.c", 2);
   Context* small =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   small->own.counts[0] = 6;
   Long before = host.n_allocated;
   View view = {.positions = {.has[POSITION_LINE] = True}};
   for (UInt i = 0; i < 3; i++) {
      cg2_view_fill(&view, large);
      CHECK_EQ(view.items.n_costs, 4);
      cg2_view_fill(&view, small);
      CHECK_EQ(view.items.n_costs, 1);
      check_cost(&view, 0, 0, "own.c", 2, 6);
   }
   cg2_view_free(&view);
   CHECK_EQ(host.n_allocated, before);
}

/*--- Calls --------------------------------------------------------------*/

static void check_call(const View* view,
                       UInt i,
                       UInt line,
                       const Context* callee,
                       ULong count,
                       ULong inclusive)
{
   CHECK(i < view->items.n_calls);
   if (i >= view->items.n_calls) return;
   const CallItem* c = &view->items.calls[i];
   CHECK_EQ(c->at.of[POSITION_LINE], line);
   CHECK(c->callee == callee);
   CHECK_EQ(c->count, count);
   CHECK_EQ(cg2_items_vector(&view->items, c->inclusive)[EVENT_IR], inclusive);
   Position entry = cg2_position_of_entry(&view->positions, callee->function);
   CHECK_EQ(entry.of[POSITION_LINE], callee->function->line);
   CHECK(entry.file == callee->function->file);
}

static void add_calls(Block* site,
                      Context* caller,
                      Context* callee,
                      ULong count,
                      ULong inclusive,
                      ULong skipped)
{
   Arc* arc =
      cg2_graph_arc(guest_exit(site), caller, callee, callee->function->blocks);
   arc->count = count;
   arc->inclusive[EVENT_IR] = inclusive;
   cg2_arc_skipped(arc)[EVENT_IR] = skipped;
}

/* Calls of one line to one callee are one; by line, then by callee. */
static void test_calls(void)
{
   Object* object = guest_object("a");
   Function* f = new_function(object, "f", "f.c");
   Block* site[3];
   for (UInt i = 0; i < 3; i++) {
      site[i] = guest_block(f, 2, EXIT_CALL);
      guest_position(site[i], 1, "f.c", i == 2 ? 4 : 6);
   }
   Routine g = guest_routine(object, "g"), h = guest_routine(object, "h");
   Context* c =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   Context* to_g = cg2_context_get(
      g.function, 0, cg2_context_separation((Separation){.thread = 0}));
   Context* to_g2 = cg2_context_get(
      g.function, 1, cg2_context_separation((Separation){.thread = 0}));
   Context* to_h = cg2_context_get(
      h.function, 0, cg2_context_separation((Separation){.thread = 0}));
   add_calls(site[0], c, to_h, 1, 10, 0);
   add_calls(site[0], c, to_g2, 2, 20, 0);
   add_calls(site[0], c, to_g, 3, 30, 0);
   add_calls(site[1], c, to_g, 4, 40, 0);
   add_calls(site[2], c, to_h, 5, 50, 0);
   add_calls(site[1], c, to_h, 0, 0, 0);
   View view = {.positions = {.has[POSITION_LINE] = True}};
   for (host.order = 0; host.order < 10; host.order++) {
      cg2_view_fill(&view, c);
      CHECK_EQ(view.items.n_costs, 0);
      CHECK_EQ(view.items.n_calls, 4);
      check_call(&view, 0, 4, to_h, 5, 50);
      check_call(&view, 1, 6, to_g, 7, 70);
      check_call(&view, 2, 6, to_g2, 2, 20);
      check_call(&view, 3, 6, to_h, 1, 10);
   }
   view.positions = (PositionConfig){.has[POSITION_INSTR] = True};
   cg2_view_fill(&view, c);
   CHECK_EQ(view.items.n_calls, 5);
   for (UInt i = 0; i < view.items.n_calls; i++) {
      const Function* callee = view.items.calls[i].callee->function;
      Position entry = cg2_position_of_entry(&view.positions, callee);
      CHECK_EQ(entry.of[POSITION_INSTR], callee->offset);
      CHECK_EQ(entry.of[POSITION_LINE], 0);
      CHECK_EQ(view.items.calls[i].at.of[POSITION_LINE], 0);
   }
   CHECK_EQ(view.items.calls[0].at.of[POSITION_INSTR],
            site[0]->offset + INSTR_BYTES);
   cg2_view_free(&view);
}

/* Stub costs are the caller's, at the line of the call; also those of calls
 * that never arrived, which are no calls. */
static void test_skipped(void)
{
   Object* object = guest_object("a");
   Function* f = new_function(object, "f", "f.c");
   Block* site = guest_block(f, 2, EXIT_CALL);
   guest_position(site, 0, "f.c", 5);
   guest_position(site, 1, "f.c", 6);
   Routine g = guest_routine(object, "g");
   Context* c =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   c->own.counts[0] = 3;
   add_calls(site, c,
             cg2_context_get(g.function, 0,
                             cg2_context_separation((Separation){.thread = 0})),
             3, 30, 6);
   cg2_arc_skipped(cg2_graph_lost(guest_exit(site), c))[EVENT_IR] = 200;
   View view = {.positions = {.has[POSITION_LINE] = True}};
   cg2_view_fill(&view, c);
   CHECK_EQ(view.items.n_costs, 2);
   check_cost(&view, 0, 0, "f.c", 5, 3);
   check_cost(&view, 1, 0, "f.c", 6, 3 + 6 + 200);
   CHECK_EQ(view.items.n_calls, 1);
   check_call(
      &view, 0, 6,
      cg2_context_get(g.function, 0,
                      cg2_context_separation((Separation){.thread = 0})),
      3, 30);
   cg2_view_free(&view);
}

/* How often functions are called that have no place in the profile: by name,
 * whoever pays for them; not while nothing is collected. */
static void test_skipped_calls(void)
{
   Object* object = guest_object("a");
   Routine f = guest_routine(object, "f"), g = guest_routine(object, "g"),
           h = guest_routine(object, "h");
   const Separation* on = cg2_context_separation((Separation){.thread = 2});
   const Separation* off =
      cg2_context_separation((Separation){.thread = 2, .is_off = True});
   Context* c = cg2_context_get(f.function, 0, on);
   Exit* exit = guest_exit(f.call);
   Separation paid = {.thread = 2, .payer = c, .payer_exit = exit};
   Context* to_g = cg2_context_get(g.function, 0, cg2_context_separation(paid));
   Context* to_h = cg2_context_get(h.function, 0, cg2_context_separation(paid));
   UInt n = 99;
   CHECK(!cg2_selection_skipped(&n, 0));
   CHECK_EQ(n, 0);
   add_calls(f.call, c, to_h, 3, 0, 0);
   add_calls(g.call, to_g, to_h, 4, 0, 0);
   add_calls(f.call, c, to_g, 5, 0, 0);
   add_calls(h.call, to_h, c, 6, 0, 0);
   add_calls(f.call, cg2_context_get(f.function, 0, off), to_g, 7, 0, 0);
   cg2_graph_lost(exit, c)->count = 8;
   for (host.order = 0; host.order < 10; host.order++) {
      SkippedFunction* skipped =
         cg2_selection_skipped(&n, host.order % 2 ? 2 : 0);
      CHECK_EQ(n, 2);
      CHECK(skipped[0].function == g.function);
      CHECK_EQ(skipped[0].count, 5);
      CHECK(skipped[1].function == h.function);
      CHECK_EQ(skipped[1].count, 7);
      VG_(free)(skipped);
   }
   CHECK(!cg2_selection_skipped(&n, 1));
}

/*--- Jumps --------------------------------------------------------------*/

static void check_jump(const View* view,
                       UInt i,
                       UInt line,
                       UInt target,
                       Bool is_conditional,
                       ULong taken,
                       ULong executed)
{
   CHECK(i < view->items.n_jumps);
   if (i >= view->items.n_jumps) return;
   const JumpItem* jump = &view->items.jumps[i];
   CHECK_EQ(jump->at.of[POSITION_LINE], line);
   CHECK_EQ(jump->target.of[POSITION_LINE], target);
   CHECK_EQ(jump->is_conditional, is_conditional);
   CHECK_EQ(jump->taken, taken);
   CHECK_EQ(jump->executed, executed);
}

static void set_lines(Block* block, UInt first)
{
   for (UInt i = 0; i < block->n_instrs; i++)
      guest_position(block, i, "own.c", first + i);
}

/* f has at line 10 a branch that VEX leaves as it is, at line 20 one that it
 * turns round, at line 30 an instruction with two side exits, at line 41 a
 * jump; it goes to line 10, 20 or to another function, g. */
static Context* jumping(void)
{
   enum { TO_G = 0x1000 };
   static const UShort ends[] = {2, 0}, two[] = {1, 0, 0}, plain[] = {2};
   static const Int forward[] = {2 * INSTR_BYTES, NO_TARGET};
   static const Int backward[] = {NO_TARGET, -2 * INSTR_BYTES};
   static const Int itself[] = {NO_TARGET, 0, TO_G};
   static const Int jump[] = {-5 * INSTR_BYTES};
   Object* object = guest_object("a");
   Function* f = new_function(object, "f", "own.c");
   Function* g = new_function(object, "g", "own.c");
   Block* blocks[] = {
      guest_block_with_targets(f, ends, forward, 2, False),
      guest_block_with_targets(f, ends, backward, 2, False),
      guest_block_with_targets(f, two, itself, 3, False),
      guest_block_with_targets(f, plain, jump, 1, True),
   };
   set_lines(guest_block(g, 1, EXIT_NONE), 90);
   Context* c =
      cg2_context_get(f, 0, cg2_context_separation((Separation){.thread = 0}));
   ULong* counts = c->own.counts;
   for (UInt i = 0; i < 4; i++)
      set_lines(blocks[i], 9 + 10 * i + (i > 1));
   counts[blocks[0]->slot] = 10, counts[blocks[0]->slot + 1] = 7;
   counts[blocks[1]->slot] = 20, counts[blocks[1]->slot + 1] = 12;
   counts[blocks[2]->slot] = 9, counts[blocks[2]->slot + 1] = 8;
   counts[blocks[2]->slot + 2] = 5;
   counts[blocks[3]->slot] = 6;
   return c;
}

static void test_jumps(void)
{
   Context* c = jumping();
   View view = {.positions = {.has[POSITION_LINE] = True}};
   for (host.order = 0; host.order < 10; host.order++) {
      cg2_view_fill(&view, c);
      CHECK_EQ(view.items.n_jumps, 4);
      check_jump(&view, 0, 10, 19, True, 3, 10);
      check_jump(&view, 1, 20, 9, True, 12, 20);
      check_jump(&view, 2, 30, 30, True, 3, 9);
      check_jump(&view, 3, 41, 9, False, 6, 6);
   }
   cg2_view_free(&view);
}

/* What was never taken is left out, and so is what was never executed. */
static void test_jumps_not_taken(void)
{
   Context* c = jumping();
   c->own.counts[1] = 10;
   c->own.counts[3] = 0;
   for (UInt i = 4; i < c->own.n; i++)
      c->own.counts[i] = 0;
   View view = {.positions = {.has[POSITION_LINE] = True}};
   cg2_view_fill(&view, c);
   CHECK_EQ(view.items.n_jumps, 0);
   cg2_view_free(&view);
}

/* Computed ones: by target; other functions' first instructions are calls. */
static void test_leaps(void)
{
   Context* c = jumping();
   Block* last = c->function->blocks;
   Exit* exit = cg2_block_exits(last);
   cg2_context_zero(c);
   c->own.counts[last->slot] = 9;
   cg2_block_targets(last)[0] = NO_TARGET;
   for (UInt i = 0; i < 3; i++) {
      cg2_leaps_count(exit, c, -5 * INSTR_BYTES);
      cg2_leaps_count(exit, c, -3 * INSTR_BYTES);
      cg2_leaps_count(exit, c, 0x10000 - 5 * INSTR_BYTES);
      cg2_leaps_count(exit, c, 0x500000);
   }
   View view = {.positions = {.has[POSITION_LINE] = True}};
   cg2_view_fill(&view, c);
   CHECK_EQ(view.items.n_jumps, 2);
   check_jump(&view, 0, 41, 9, False, 3, 3);
   check_jump(&view, 1, 41, 19, False, 3, 3);
   cg2_view_free(&view);
}

/* The order of two positions of a function's code, marked or not. */
static Int compared(Position a, Position b, const Name* own)
{
   cg2_position_mark(&a, own);
   cg2_position_mark(&b, own);
   Int order = cg2_position_compare_marked(&a, &b);
   CHECK_EQ(order, cg2_position_compare(&a, &b, own));
   return order;
}

/* What repeats itself, `n` times, at a line of its own. */
static Context* repeating(Object* object, const HChar* name, UInt line, ULong n)
{
   Function* f = new_function(object, name, "own.c");
   Block* block = guest_block(f, 1, EXIT_NONE);
   block->repeats = True;
   set_lines(block, line);
   Context* context = new_context(f, 1);
   context->own.counts[block->slot] = n;
   return context;
}

/* Contexts behind those that are given do not count. */
static void test_rounds(void)
{
   Object* object = guest_object("a");
   const Context* all[] = {repeating(object, "f", 10, 3),
                           repeating(object, "g", 20, 5)};
   for (UInt n = 0; n <= 2; n++) {
      Rounds rounds = cg2_rounds_count(all, n, 4000);
      CHECK_EQ(rounds.n, n);
      CHECK_EQ(rounds.instrs, 4000);
      for (UInt i = 0; i < n; i++) {
         CHECK(rounds.items[i].context == all[i]);
         CHECK_EQ(rounds.items[i].line.line, 10 + 10 * i);
         CHECK_EQ(rounds.items[i].n, 3 + 2 * i);
      }
      cg2_rounds_free(&rounds);
   }
}

static void test_compare(void)
{
   const Name *own = file("own.c"), *a = file("a.c"), *z = file("z.c");
   Position base = {.of[POSITION_INSTR] = 5,
                    .file = own,
                    .of[POSITION_LINE] = 7},
            other = base;
   CHECK_EQ(compared(base, other, own), 0);
   other.of[POSITION_LINE] = 8;
   CHECK(compared(base, other, own) < 0);
   CHECK(compared(other, base, own) > 0);
   other =
      (Position){.of[POSITION_INSTR] = 5, .file = a, .of[POSITION_LINE] = 1};
   CHECK(compared(base, other, own) < 0);
   CHECK(compared(other, base, own) > 0);
   CHECK(compared(base, other, z) > 0);
   other =
      (Position){.of[POSITION_INSTR] = 4, .file = z, .of[POSITION_LINE] = 9};
   CHECK(compared(base, other, own) > 0);
   /* Differences that do not fit into an Int. */
   other = (Position){
      .of[POSITION_INSTR] = ~(Addr)0, .file = own, .of[POSITION_LINE] = 7};
   CHECK(compared(base, other, own) < 0);
}

int main(int n, char** names)
{
   cg2_rules.standard.recursion_levels = 3;
   static const Test tests[] = {
      {"order", test_order},
      {"which", test_which},
      {"many", test_many},
      {"count_blocks", test_count_blocks},
      {"by_line", test_by_line},
      {"by_instr", test_by_instr},
      {"events", test_events},
      {"not_run", test_not_run},
      {"skipped_root", test_skipped_root},
      {"twice_translated", test_twice_translated},
      {"foreign", test_foreign},
      {"reuse", test_reuse},
      {"calls", test_calls},
      {"skipped", test_skipped},
      {"skipped_calls", test_skipped_calls},
      {"jumps", test_jumps},
      {"jumps_not_taken", test_jumps_not_taken},
      {"leaps", test_leaps},
      {"rounds", test_rounds},
      {"compare", test_compare},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
