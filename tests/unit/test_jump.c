/* Is this jump a call? The rule as a table of all cases; and that those who ask
 * it answer alike: calls, the probes and the view. (symbols and instrument need
 * Valgrind: tests/cases/test_tails.py.) */
#include "check.h"
#include "code/jump.h"
#include "engine/leaps.h"
#include "engine/transfer.h"
#include "guest.h"
#include "profile/callgrind/view.h"

enum { No, Yes, STACK = 0x100000 };

/*--- The rule -----------------------------------------------------------*/

static const struct {
   Bool to_object, to_stub, to_entry, to_itself, is_call;
} cases[] = {
   {No, No, No, No, No},   /* into the middle of another function */
   {No, No, No, Yes, No},  /* inside the function */
   {No, No, Yes, No, Yes}, /* to another function's first instruction */
   {No, No, Yes, Yes, No}, /* to the function's own first instruction */
   {No, Yes, No, No, Yes},   {No, Yes, No, Yes, Yes},
   {No, Yes, Yes, No, Yes},  {No, Yes, Yes, Yes, Yes},
   {Yes, No, No, No, Yes},   {Yes, No, No, Yes, Yes},
   {Yes, No, Yes, No, Yes},  {Yes, No, Yes, Yes, Yes},
   {Yes, Yes, No, No, Yes},  {Yes, Yes, No, Yes, Yes},
   {Yes, Yes, Yes, No, Yes}, {Yes, Yes, Yes, Yes, Yes},
};

enum { CASES = sizeof cases / sizeof *cases };

static Jump facts(UInt i)
{
   return (Jump){cases[i].to_object, cases[i].to_stub, cases[i].to_entry,
                 cases[i].to_itself};
}

static void test_rule(void)
{
   UInt seen = 0;
   for (UInt i = 0; i < CASES; i++) {
      Jump j = facts(i);
      CHECK_EQ(cg2_jump_is_call(&j), cases[i].is_call);
      seen |=
         1 << (j.to_object * 8 + j.to_stub * 4 + j.to_entry * 2 + j.to_itself);
   }
   CHECK_EQ(seen, 0xffff);
}

/* Control that arrived by a jump has called just if the rule says so; and if it
 * left frames, it has gone to a function in the place of the one it left. */
static void test_classify(void)
{
   for (UInt i = 0; i < CASES; i++) {
      Arrival a = {.kind = EXIT_JUMP, .has_context = True, .jump = facts(i)};
      CHECK_EQ(cg2_transfer_classify(&a),
               cases[i].is_call ? TRANSFER_CALL : TRANSFER_STAY);
      a.left_frames = True;
      CHECK_EQ(cg2_transfer_classify(&a),
               cases[i].is_call ? TRANSFER_REPLACE : TRANSFER_RESUME);
   }
}

/* A return that leaves nothing is a jump. */
static void test_returns(void)
{
   for (UInt i = 0; i < CASES; i++) {
      Arrival a = {.kind = EXIT_RETURN, .has_context = True, .jump = facts(i)};
      CHECK_EQ(cg2_transfer_classify(&a),
               cases[i].is_call ? TRANSFER_CALL : TRANSFER_STAY);
   }
}

/*--- Jumps that happen --------------------------------------------------*/

static Object *app, *library;
static Routine root;

static void begin(void)
{
   app = guest_object("app");
   library = guest_object("library");
   root = guest_routine(app, "root");
   guest_switch(1, STACK);
   guest_run(root.entry);
}

/* Where a jump of `f` goes: to `target`, by way of `stub` if there is one; what
 * was jumped to ends by returning in `leave`. */
typedef struct Way {
   Routine f;
   Block *stub, *target, *leave;
} Way;

static Way new_way(const HChar* name)
{
   Way way = {.f = guest_routine(app, name)};
   return way;
}

static Way to_own(const HChar* name, Bool is_entry)
{
   Way way = new_way(name);
   way.target = is_entry ? way.f.entry : way.f.work;
   way.leave = way.f.leave;
   return way;
}

static Way to_other(const HChar* name, Object* object, Bool is_entry)
{
   Way way = new_way(name);
   HChar of_other[] = {name[0], '2', '\0'};
   Routine other = guest_routine(object, of_other);
   way.target = is_entry ? other.entry : other.work;
   way.leave = other.leave;
   return way;
}

/* Code without a symbol behind a function, as its .cold half. */
static Way to_unnamed(const HChar* name)
{
   Way way = to_other(name, app, False);
   way.target = guest_block_unnamed(way.leave->home, 2, EXIT_NONE);
   return way;
}

static Way by_stub(Way way)
{
   way.stub = guest_stub(app, 2);
   guest_fix(way.f.jump, way.stub);
   return way;
}

static Way fixed(Way way)
{
   guest_fix(way.f.jump, way.target);
   return way;
}

static UInt depth(void)
{
   return cg2_stack_depth(&cg2_now.stack);
}

/* The root calls way->f, that jumps, and what it jumped to returns. Whether the
 * jump was a call. */
static Bool jump_calls(const Way* way)
{
   guest_call(&root, &way->f);
   UInt before = depth();
   guest_run(way->f.jump);
   if (way->stub) guest_run(way->stub);
   guest_run(way->target);
   UInt n_called = depth() - before;
   const Context* context = cg2_thread_context();
   CHECK(context->function ==
         (n_called ? cg2_block_called(way->target) : way->f.function));
   guest_run(way->leave);
   guest_run(root.back);
   CHECK_EQ(depth(), 1);
   CHECK(n_called <= 1);
   return n_called == 1;
}

static void know_positions(const Function* f)
{
   for (Block* b = f->blocks; b; b = b->next_of_home)
      guest_position(b, 0, "jump.c", 1);
}

/* Whether a profile shows it among the jumps, not the calls. */
static Bool is_shown(const Way* way)
{
   Context* context = guest_context(way->f.function, 1);
   const Exit* exit = guest_exit(way->f.jump);
   const Block* target = way->stub ? way->stub : way->target;
   View view = {.positions = {.has[POSITION_INSTR] = True}};
   know_positions(way->f.function);
   know_positions(way->target->home);
   cg2_leaps_count(exit, context, target->address - way->f.jump->address);
   cg2_view_fill(&view, context);
   Bool is = view.items.n_jumps == 1;
   CHECK(view.items.n_jumps <= 1);
   cg2_view_free(&view);
   return is;
}

/* The first time a jump is looked at thoroughly; later it is one that is known.
 */
static void check(Way way, Bool is_call)
{
   for (UInt i = 0; i < 4; i++)
      CHECK_EQ(jump_calls(&way), is_call);
   const Exit* exit = guest_exit(way.f.jump);
   if (is_call) CHECK(exit->home == NULL);
   if (way.target->object == app) CHECK_EQ(is_shown(&way), !is_call);
   CHECK_TEXT(guest_fault() ? guest_fault() : "", "");
}

static void test_computed(void)
{
   begin();
   check(to_own("a", False), No);
   check(to_own("b", True), No);
   check(to_other("c", app, False), No);
   check(to_other("d", app, True), Yes);
   check(to_other("e", library, False), Yes);
   check(to_other("f", library, True), Yes);
   check(to_unnamed("g"), No);
}

static void test_fixed(void)
{
   begin();
   check(fixed(to_other("a", app, False)), No);
   check(fixed(to_other("b", app, True)), Yes);
   check(fixed(to_unnamed("c")), No);
}

static void test_stubs(void)
{
   begin();
   check(by_stub(to_own("a", True)), Yes);
   check(by_stub(to_other("b", app, True)), Yes);
   check(by_stub(to_other("c", app, False)), Yes);
   check(by_stub(to_other("d", library, True)), Yes);
}

/* Where stubs are shown, they are code that no unwind range covers. The one
 * that a function jumps to is called; on the way to the resolver it goes on in
 * another. */
static void test_shown_stubs(void)
{
   begin();
   Routine f = guest_routine(app, "f"), g = guest_routine(library, "g");
   Block* stub = guest_block_guarded(f.function, 2, EXIT_JUMP);
   Block* first = guest_block_guarded(f.function, 2, EXIT_JUMP);
   stub->is_among_stubs = first->is_among_stubs = True;
   for (UInt i = 0; i < 4; i++) {
      guest_call(&root, &f);
      guest_run(f.jump);
      guest_run(stub);
      CHECK_EQ(depth(), 3);
      if (i % 2 == 0) guest_run(first);
      CHECK_EQ(depth(), 3);
      CHECK(cg2_thread_context()->function == stub->function);
      guest_run(g.entry);
      CHECK_EQ(depth(), 4);
      guest_run(g.leave);
      guest_run(root.back);
      CHECK_EQ(depth(), 1);
   }
   CHECK_TEXT(guest_fault() ? guest_fault() : "", "");
}

/* An exit remembers where it moved to. */
static void test_remembered(void)
{
   begin();
   Way way = to_other("a", app, False);
   jump_calls(&way);
   CHECK(guest_exit(way.f.jump)->home == way.target->home);
}

/* A function that goes on in the middle of another one jumps from there to its
 * own first instruction, and to the other's. */
static void test_in_the_middle(void)
{
   begin();
   Routine f = guest_routine(app, "f"), g = guest_routine(app, "g");
   Routine h = guest_routine(app, "h");
   guest_call(&root, &f);
   guest_run(f.jump);
   guest_run(g.jump);
   guest_run(f.entry);
   CHECK_EQ(depth(), 2);
   guest_run(f.jump);
   guest_run(h.jump);
   guest_run(g.entry);
   CHECK_EQ(depth(), 3);
   CHECK(cg2_thread_context()->function == g.function);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"rule", test_rule},
      {"classify", test_classify},
      {"returns", test_returns},
      {"computed", test_computed},
      {"fixed", test_fixed},
      {"stubs", test_stubs},
      {"shown_stubs", test_shown_stubs},
      {"remembered", test_remembered},
      {"in_the_middle", test_in_the_middle},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
