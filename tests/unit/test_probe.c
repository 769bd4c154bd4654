/* Simulated programs, and what the engine makes of them: exact calls, contexts
 * and costs. */
#include "check.h"
#include "engine/threads.h"
#include "fixture.h"

#include <time.h>

/* Each test runs twice: with the probes that can do all, and, by a name that
 * begins so, with the plain ones. */
static const char plain[] = "plain_";

static Bool is_plain(void)
{
   return VG_(strncmp)(check_name(), plain, sizeof plain - 1) == 0;
}

/* Thread 1 runs root, on an empty stack. */
static void begin(UInt recursion_levels)
{
   cg2_rules.standard.recursion_levels = recursion_levels;
   make_code();
   cg2_engine_config.is_plain = is_plain();
   if (!is_plain() && cg2_events.n == 1) guest_add_events();
   guest.runs_on = True;
   start();
}

static void check_self(const Routine* r, UInt level, ULong cost)
{
   CHECK_EQ(guest_self(at(r, level)), cost);
}

/*--- Calls and returns --------------------------------------------------*/

static void test_call(void)
{
   begin(2);
   guest_call(&root, &f);
   check_runs(&f);
   guest_run(f.work);
   guest_return(&f, &root);
   check_runs(&root);
   CHECK_EQ(guest.sp, STACK);
   check_calls(at(&root, 1), at(&f, 1), 1, ENTRY + WORK + LEAVE);
   check_self(&root, 1, ENTRY + CALL + BACK);
   check_self(&f, 1, ENTRY + WORK + LEAVE);
   CHECK_EQ(guest_count_arcs(at(&root, 1)), 1);
   CHECK_EQ(guest_count_arcs(at(&f, 1)), 0);
   CHECK_EQ(guest_count(at(&f, 1), f.work, 0), 1);
   CHECK_EQ(guest_count(at(&f, 1), f.work, 1), 1);
   check_all();
}

/* root calls f 10 times, which calls g 100 times. */
static void test_nested(void)
{
   begin(2);
   for (UInt i = 0; i < 10; i++) {
      guest_call(&root, &f);
      for (UInt j = 0; j < 100; j++) {
         guest_call(&f, &g);
         guest_run(g.work);
         guest_return(&g, &f);
      }
      guest_return(&f, &root);
   }
   ULong in_g = ENTRY + WORK + LEAVE;
   ULong in_f = ENTRY + 100 * (CALL + BACK) + LEAVE;
   check_calls(at(&root, 1), at(&f, 1), 10, 10 * (in_f + 100 * in_g));
   check_calls(at(&f, 1), at(&g, 1), 1000, 1000 * in_g);
   check_self(&root, 1, ENTRY + 10 * (CALL + BACK));
   check_self(&f, 1, 10 * in_f);
   check_self(&g, 1, 1000 * in_g);
   CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 1);
   check_all();
}

/* A call site calls by a pointer, from contexts that alternate. */
static void test_call_site_of_many(void)
{
   begin(2);
   const Routine* callees[] = {&g, &h, &g, &root};
   for (UInt i = 0; i < 400; i++) {
      guest_call(&root, &f);
      guest_call(&f, callees[i % 4]);
      guest_return(callees[i % 4], &f);
      guest_return(&f, &root);
   }
   ULong leaf = ENTRY + LEAVE;
   check_calls(at(&f, 1), at(&g, 1), 200, 200 * leaf);
   check_calls(at(&f, 1), at(&h, 1), 100, 100 * leaf);
   check_calls(at(&f, 1), at(&root, 2), 100, 100 * leaf);
   CHECK_EQ(guest_count_arcs(at(&f, 1)), 3);
   check_calls(at(&root, 1), at(&f, 1), 400, 400 * (2 * leaf + CALL + BACK));
   check_all();
}

/* A side exit that is taken to another function's first instruction is a tail
 * call; what lies behind it has not run. */
static void test_side_exit(void)
{
   begin(2);
   guest_call(&root, &f);
   guest_run(f.work);
   guest_run_side(f.work);
   guest_run(g.entry);
   guest_return(&g, &root);
   CHECK_EQ(guest_count(at(&f, 1), f.work, 0), 2);
   CHECK_EQ(guest_count(at(&f, 1), f.work, 1), 1);
   check_calls(at(&f, 1), at(&g, 1), 1, ENTRY + LEAVE);
   CHECK(guest_arc(&cg2_block_exits(f.work)[0], at(&f, 1), at(&g, 1)));
   check_calls(at(&root, 1), at(&f, 1), 1, ENTRY + WORK + 5 + ENTRY + LEAVE);
   check_all();
}

/*--- Recursion ----------------------------------------------------------*/

static UInt level_of(UInt nth, UInt levels)
{
   return nth < levels ? nth : levels;
}

/* f calls itself until there are `depth` frames of it; all return. */
static void recurse(UInt depth)
{
   guest_call(&root, &f);
   for (UInt i = 1; i < depth; i++)
      guest_call(&f, &f);
   for (UInt i = 1; i < depth; i++)
      guest_return(&f, &f);
   guest_return(&f, &root);
}

/* What the nth of `depth` frames costs with all below it. */
static ULong cost_of_nth(UInt nth, UInt depth)
{
   return (depth - nth) * (ENTRY + CALL + BACK + LEAVE) + ENTRY + LEAVE;
}

static void check_recursion(UInt levels, UInt depth, UInt rounds)
{
   begin(levels);
   for (UInt i = 0; i < rounds; i++)
      recurse(depth);
   enum { MOST = 20 };
   ULong calls[MOST][MOST] = {{0}}, inclusive[MOST][MOST] = {{0}};
   for (UInt nth = 2; nth <= depth; nth++) {
      UInt from = level_of(nth - 1, levels), to = level_of(nth, levels);
      calls[from][to] += rounds;
      inclusive[from][to] += rounds * cost_of_nth(nth, depth);
   }
   check_calls(at(&root, 1), at(&f, 1), rounds, rounds * cost_of_nth(1, depth));
   for (UInt from = 1; from <= levels; from++)
      for (UInt to = 1; to <= levels; to++)
         check_calls(at(&f, from), at(&f, to), calls[from][to],
                     inclusive[from][to]);
   for (UInt level = 1; level < levels && level < depth; level++)
      check_self(&f, level, rounds * (ENTRY + CALL + BACK + LEAVE));
   CHECK(!at(&f, levels + 1));
   check_all();
}

static void test_recursion_of_1_level(void)
{
   check_recursion(1, 12, 3);
}

static void test_recursion_of_2_levels(void)
{
   check_recursion(2, 12, 3);
}

static void test_recursion_of_10_levels(void)
{
   check_recursion(10, 12, 3);
}

static void test_shallow_recursion_of_10_levels(void)
{
   check_recursion(10, 4, 1);
}

/* f -> g -> f -> g -> f */
static void test_mutual_recursion(void)
{
   begin(2);
   guest_call(&root, &f);
   guest_call(&f, &g);
   guest_call(&g, &f);
   guest_call(&f, &g);
   guest_call(&g, &f);
   guest_return(&f, &g);
   guest_return(&g, &f);
   guest_return(&f, &g);
   guest_return(&g, &f);
   guest_return(&f, &root);
   ULong leaf = ENTRY + LEAVE, step = ENTRY + CALL + BACK + LEAVE;
   check_calls(at(&root, 1), at(&f, 1), 1, leaf + 4 * step);
   check_calls(at(&f, 1), at(&g, 1), 1, leaf + 3 * step);
   check_calls(at(&g, 1), at(&f, 2), 1, leaf + 2 * step);
   check_calls(at(&f, 2), at(&g, 2), 1, leaf + step);
   check_calls(at(&g, 2), at(&f, 2), 1, leaf);
   check_self(&f, 2, step + leaf);
   check_all();
}

static void test_deep_recursion(void)
{
   enum { DEPTH = 100 * 1000 };
   begin(2);
   guest.sp = 16 * 1000 * 1000;
   recurse(DEPTH);
   check_calls(at(&f, 1), at(&f, 2), 1, cost_of_nth(2, DEPTH));
   ULong inclusive = 0;
   for (UInt nth = 3; nth <= DEPTH; nth++)
      inclusive += cost_of_nth(nth, DEPTH);
   check_calls(at(&f, 2), at(&f, 2), DEPTH - 2, inclusive);
   CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 1);
   check_all();
}

/* All frames left at once. */
static void test_deep_longjmp(void)
{
   enum { DEPTH = 100 * 1000 };
   begin(2);
   guest.sp = 16 * 1000 * 1000;
   Addr sp = guest.sp;
   guest_call(&root, &f);
   for (UInt i = 1; i < DEPTH; i++)
      guest_call(&f, &f);
   CHECK_EQ(cg2_stack_depth(&cg2_now.stack), DEPTH + 1);
   guest.sp = sp;
   guest_run(f.jump);
   guest_run(root.back);
   CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 1);
   check_runs(&root);
   CHECK_EQ(cg2_function_active(f.function), 0);
   check_calls(at(&f, 2), at(&f, 2), DEPTH - 2,
               (ULong)(DEPTH - 2) * (DEPTH - 3) / 2 * (ENTRY + CALL) +
                  (ULong)(DEPTH - 2) * (ENTRY + 1));
   check_all();
}

/*--- Tail calls ---------------------------------------------------------*/

/* root calls f, f jumps to g, g returns to root. */
static void test_tail_call(void)
{
   begin(2);
   for (UInt i = 0; i < 3; i++) {
      guest_call(&root, &f);
      guest_run(f.jump);
      guest_run(g.entry);
      check_runs(&g);
      guest_return(&g, &root);
      check_runs(&root);
   }
   check_calls(at(&root, 1), at(&f, 1), 3, 3 * (ENTRY + 1 + ENTRY + LEAVE));
   check_calls(at(&f, 1), at(&g, 1), 3, 3 * (ENTRY + LEAVE));
   CHECK_EQ(guest_calls(at(&root, 1), at(&g, 1)), 0);
   CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 1);
   check_all();
}

/* f jumps to g, g calls h: h returns to g, g to root. */
static void test_call_in_tail_call(void)
{
   begin(2);
   guest_call(&root, &f);
   guest_run(f.jump);
   guest_run(g.entry);
   guest_call(&g, &h);
   guest_return(&h, &g);
   check_runs(&g);
   guest_return(&g, &root);
   check_runs(&root);
   check_calls(at(&g, 1), at(&h, 1), 1, ENTRY + LEAVE);
   check_calls(at(&f, 1), at(&g, 1), 1,
               ENTRY + CALL + ENTRY + LEAVE + BACK + LEAVE);
   check_all();
}

/* f and g jump to each other 500 times: all frames lie at one stack pointer. */
static void test_tail_calls_in_turn(void)
{
   begin(2);
   guest_call(&root, &f);
   for (UInt i = 0; i < 500; i++) {
      guest_run(f.jump);
      guest_run(g.entry);
      guest_run(g.jump);
      guest_run(f.entry);
   }
   CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 1002);
   guest_return(&f, &root);
   CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 1);
   check_runs(&root);
   CHECK_EQ(guest_calls(at(&f, 1), at(&g, 1)), 1);
   CHECK_EQ(guest_calls(at(&f, 2), at(&g, 2)), 499);
   CHECK_EQ(guest_calls(at(&g, 1), at(&f, 2)), 1);
   CHECK_EQ(guest_calls(at(&g, 2), at(&f, 2)), 499);
   check_calls(at(&root, 1), at(&f, 1), 1, ENTRY + 1000 * (1 + ENTRY) + LEAVE);
   check_all();
}

/* A loop that begins with the function's first instruction is no recursion. */
static void test_jump_to_own_entry(void)
{
   begin(2);
   guest_call(&root, &f);
   for (UInt i = 0; i < 10; i++) {
      guest_run(f.jump);
      guest_run(f.entry);
   }
   guest_return(&f, &root);
   CHECK_EQ(guest_calls(at(&root, 1), at(&f, 1)), 1);
   CHECK(!at(&f, 2));
   check_self(&f, 1, ENTRY + 10 * (1 + ENTRY) + LEAVE);
   check_all();
}

/*--- Jumps between functions --------------------------------------------*/

/* f goes on in the middle of g, and comes back: all of it is f's, at g's lines;
 * also what it calls from there. */
static void test_stay(void)
{
   begin(2);
   guest_call(&root, &f);
   guest_run(f.jump);
   guest_run(g.work);
   check_runs(&f);
   guest_call(&g, &h);
   guest_return(&h, &g);
   check_runs(&f);
   guest_run(g.jump);
   guest_run(f.work);
   guest_return(&f, &root);
   check_self(&f, 1, ENTRY + 1 + WORK + CALL + BACK + 1 + WORK + LEAVE);
   CHECK_EQ(guest_count(at(&f, 1), g.work, 1), 1);
   CHECK(!at(&g, 1));
   check_calls(at(&f, 1), at(&h, 1), 1, ENTRY + LEAVE);
   CHECK(guest_arc(guest_exit(g.call), at(&f, 1), at(&h, 1)));
   check_all();
}

/* Code without a symbol is run by whoever comes there, and is a function of its
 * own when it is called. */
static void check_unnamed(Block* (*make)(Function*, UInt, ExitKind))
{
   begin(2);
   Block* code = make(f.function, 6, EXIT_JUMP);
   Block* end = make(f.function, 1, EXIT_RETURN);
   guest_call(&root, &f);
   guest_run(f.jump);
   guest_run(code);
   guest_run(f.jump);
   guest_run(code);
   guest_return(&f, &root);
   check_self(&f, 1, ENTRY + 1 + 6 + 1 + 6 + LEAVE);
   guest_call(&root, &g);
   guest_run(g.jump);
   guest_run(code);
   check_runs(&g);
   guest_return(&g, &root);
   check_self(&g, 1, ENTRY + 1 + 6 + LEAVE);
   guest_run(root.call);
   guest_run(code);
   guest_run(end);
   guest_run(root.back);
   Function* unnamed = code->function;
   CHECK(unnamed != f.function);
   Context* context = guest_context(unnamed, 1);
   CHECK_EQ(guest_calls(at(&root, 1), context), 1);
   CHECK_EQ(guest_self(context), 6 + 1);
   check_self(&f, 1, ENTRY + 1 + 6 + 1 + 6 + LEAVE);
   check_all();
}

static void test_unnamed(void)
{
   check_unnamed(guest_block_unnamed);
}

static void test_guarded(void)
{
   check_unnamed(guest_block_guarded);
}

/* A function drops its return address and calls from its caller's place: it is
 * left, and its caller calls. From the last level on, both are one context. */
static void test_call_in_place(void)
{
   begin(2);
   guest_call(&root, &f);
   guest_call(&f, &f);
   for (UInt i = 0; i < 3; i++) {
      guest_call(&f, &f);
      CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 4);
      guest.sp += WORD;
      guest_run(f.call);
      guest_run(g.entry);
      check_runs(&g);
      CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 4);
      guest_return(&g, &f);
      CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 3);
   }
   check_calls(at(&f, 2), at(&g, 1), 3, 3 * (ENTRY + LEAVE));
   check_calls(at(&f, 2), at(&f, 2), 3, 3 * (ENTRY + CALL));
   guest_call(&f, &h);
   guest.sp += WORD;
   guest_run(h.call);
   guest_run(g.entry);
   CHECK_EQ(guest_calls(at(&h, 1), at(&g, 1)), 0);
   check_calls(at(&f, 2), at(&g, 1), 4, 3 * (ENTRY + LEAVE));
   check_all();
}

/* A return address that was overwritten: the thunk calls its own next part,
 * which returns to g instead. g is called by that call, and returns to root. */
static void test_return_as_jump(void)
{
   begin(2);
   guest_call(&root, &f);
   guest_run(f.call);
   guest_run(f.leave);
   guest_run(g.entry);
   check_runs(&g);
   guest_return(&g, &root);
   check_runs(&root);
   CHECK_EQ(guest_calls(at(&f, 1), at(&g, 1)), 1);
   CHECK_EQ(guest_calls(at(&root, 1), at(&f, 1)), 1);
   CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 1);
   check_all();
}

/*--- longjmp and exceptions ---------------------------------------------*/

/* root -> f -> g -> h, and from there straight to f. */
static void land_in_f(ExitKind kind)
{
   begin(2);
   Block* landing = guest_block(f.function, 10, EXIT_NONE);
   Block* thrower = guest_block(h.function, 6, kind);
   guest_call(&root, &f);
   Addr sp = guest.sp;
   guest_call(&f, &g);
   guest_call(&g, &h);
   guest.sp = kind == EXIT_RETURN ? sp - WORD : sp;
   guest_run(thrower);
   guest_run(landing);
   check_runs(&f);
   guest_call(&f, &g);
   guest_return(&g, &f);
   guest_return(&f, &root);
   check_runs(&root);
   ULong in_h = ENTRY + 6, in_g = ENTRY + CALL + in_h;
   check_calls(at(&g, 1), at(&h, 1), 1, in_h);
   check_calls(at(&f, 1), at(&g, 1), 2, in_g + ENTRY + LEAVE);
   check_calls(at(&root, 1), at(&f, 1), 1,
               ENTRY + CALL + in_g + 10 + CALL + ENTRY + LEAVE + BACK + LEAVE);
   CHECK_EQ(guest_count_arcs(at(&h, 1)), 0);
   check_all();
}

static void test_longjmp(void)
{
   land_in_f(EXIT_JUMP);
}

static void test_exception(void)
{
   land_in_f(EXIT_RETURN);
}

/* setjmp and longjmp in one function leave nothing. */
static void test_longjmp_inside(void)
{
   begin(2);
   guest_call(&root, &f);
   guest_run(f.jump);
   guest_run(f.work);
   check_runs(&f);
   guest_return(&f, &root);
   check_calls(at(&root, 1), at(&f, 1), 1, ENTRY + 1 + WORK + LEAVE);
   check_all();
}

/* A landing in a part that was split off: f goes on there. */
static void test_longjmp_to_cold_half(void)
{
   begin(2);
   Block* cold = guest_block_unnamed(root.function, 8, EXIT_JUMP);
   guest_call(&root, &f);
   Addr sp = guest.sp;
   guest_call(&f, &g);
   guest.sp = sp;
   guest_run(g.jump);
   guest_run(cold);
   check_runs(&f);
   CHECK_EQ(guest_count(at(&f, 1), cold, 0), 1);
   guest_return(&f, &root);
   check_all();
}

/*--- Stubs --------------------------------------------------------------*/

enum { STUB = 2 };

/* A call through a stub goes to the function behind; what the stub costs is the
 * caller's, and not in the call's inclusive cost. */
static void test_stub(void)
{
   begin(2);
   Block* stub = guest_stub(app, STUB);
   for (UInt i = 0; i < 5; i++) {
      guest_call(&root, &f);
      guest_run(f.call);
      guest_run(stub);
      guest_run(g.entry);
      check_runs(&g);
      guest_return(&g, &f);
      guest_return(&f, &root);
   }
   check_calls(at(&f, 1), at(&g, 1), 5, 5 * (ENTRY + LEAVE));
   CHECK_EQ(guest_skipped(at(&f, 1), at(&g, 1)), 5 * STUB);
   CHECK_EQ(cg2_threads_sums(0).n_skips, 5);
   ULong self = ENTRY + CALL + STUB + BACK + LEAVE;
   check_self(&f, 1, 5 * self);
   check_calls(at(&root, 1), at(&f, 1), 5, 5 * (self + ENTRY + LEAVE));
   check_all();
}

/* f jumps to g by a stub; g jumps to itself by one: a call each. */
static void test_stub_in_tail_call(void)
{
   begin(2);
   Block* stub = guest_stub(app, STUB);
   guest_call(&root, &f);
   guest_run(f.jump);
   guest_run(stub);
   guest_run(g.entry);
   guest_run(g.jump);
   guest_run(stub);
   guest_run(g.entry);
   guest_return(&g, &root);
   check_runs(&root);
   check_calls(at(&f, 1), at(&g, 1), 1, ENTRY + 1 + STUB + ENTRY + LEAVE);
   check_calls(at(&g, 1), at(&g, 2), 1, ENTRY + LEAVE);
   CHECK_EQ(guest_skipped(at(&f, 1), at(&g, 1)), STUB);
   CHECK_EQ(guest_skipped(at(&g, 1), at(&g, 2)), STUB);
   check_all();
}

/* The program ends in a stub: what it cost is the caller's all the same. */
static void test_stub_lost(void)
{
   begin(2);
   Block* stub = guest_stub(app, STUB);
   guest_call(&root, &f);
   guest_run(f.call);
   guest_run(stub);
   guest_head_for(NOWHERE);
   check_all();
   CHECK_EQ(guest_skipped(at(&f, 1), NULL), STUB);
   check_self(&f, 1, ENTRY + CALL + STUB);
}

/*--- The dynamic linker's resolver --------------------------------------*/

typedef struct Linker {
   Block *stub, *first_stub; /* of the function; of all of them */
   Routine resolver, fixup;
} Linker;

static Linker new_linker(void)
{
   Object* ld = guest_object("ld.so");
   return (Linker){.stub = guest_stub(app, 2),
                   .first_stub = guest_stub(app, 3),
                   .resolver = guest_routine(ld, "resolver"),
                   .fixup = guest_routine(ld, "fixup")};
}

/* A call by `caller` that is resolved on the way, up to the resolver's last
 * block. The stubs push two words for it. */
static void resolve(const Linker* l, const Routine* caller)
{
   guest_run(caller->call);
   guest.sp -= WORD;
   guest_run(l->stub);
   guest.sp -= WORD;
   guest_run(l->first_stub);
   guest_run(l->resolver.entry);
   check_runs(&l->resolver);
   guest_call(&l->resolver, &l->fixup);
   guest_return(&l->fixup, &l->resolver);
   check_runs(&l->resolver);
}

/* What the first call, which was resolved, and a second one amount to. */
static void check_resolved(const Linker* l, ULong end)
{
   guest_run(f.call);
   guest_run(l->stub);
   guest_run(g.entry);
   guest_return(&g, &f);
   guest_return(&f, &root);
   check_runs(&root);
   check_calls(at(&f, 1), at(&g, 1), 2, 2 * (ENTRY + LEAVE));
   ULong in_fixup = ENTRY + LEAVE;
   check_calls(at(&f, 1), at(&l->resolver, 1), 1,
               ENTRY + CALL + in_fixup + BACK + end);
   check_calls(at(&l->resolver, 1), at(&l->fixup, 1), 1, in_fixup);
   CHECK_EQ(guest_count_arcs(at(&l->resolver, 1)), 1);
   CHECK_EQ(guest_skipped(at(&f, 1), at(&l->resolver, 1)), 2 + 3);
   CHECK_EQ(guest_skipped(at(&f, 1), at(&g, 1)), 2);
   CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 1);
   check_all();
}

/* The resolver takes its words off the stack and jumps: g is called by f. */
static void test_resolver(void)
{
   begin(2);
   Linker l = new_linker();
   guest_call(&root, &f);
   resolve(&l, &f);
   guest.sp += 2 * WORD;
   guest_run(l.resolver.jump);
   guest_run(g.entry);
   check_runs(&g);
   guest_return(&g, &f);
   check_runs(&f);
   check_resolved(&l, 1);
}

/* On x86 it returns to g, taking its words along. */
static void test_returning_resolver(void)
{
   begin(2);
   Linker l = new_linker();
   guest_call(&root, &f);
   resolve(&l, &f);
   guest.sp += WORD;
   guest_run(l.resolver.leave);
   guest_run(g.entry);
   check_runs(&g);
   guest_return(&g, &f);
   check_runs(&f);
   check_resolved(&l, LEAVE);
}

/* A tail call that is resolved. */
static void test_resolver_in_tail_call(void)
{
   begin(2);
   Linker l = new_linker();
   guest_call(&root, &f);
   guest_run(f.jump);
   guest.sp -= WORD;
   guest_run(l.stub);
   guest.sp -= WORD;
   guest_run(l.first_stub);
   guest_run(l.resolver.entry);
   guest.sp += 2 * WORD;
   guest_run(l.resolver.jump);
   guest_run(g.entry);
   check_runs(&g);
   guest_return(&g, &root);
   check_runs(&root);
   check_calls(at(&f, 1), at(&g, 1), 1, ENTRY + LEAVE);
   check_calls(at(&f, 1), at(&l.resolver, 1), 1, ENTRY + 1);
   CHECK_EQ(guest_count_arcs(at(&l.resolver, 1)), 0);
   check_all();
}

/*--- Growth -------------------------------------------------------------*/

/* Code of the function that runs is translated as it runs: its cells move. */
static void test_growing_cells(void)
{
   begin(2);
   guest_call(&root, &f);
   guest_call(&f, &f);
   Block* newest = f.work;
   for (UInt i = 0; i < 3000; i++) {
      newest = guest_block(f.function, 2, EXIT_NONE);
      guest_run(f.work);
      guest_run(newest);
   }
   CHECK_EQ(guest_count(at(&f, 2), newest, 0), 1);
   CHECK_EQ(guest_count(at(&f, 1), newest, 0), 0);
   guest_return(&f, &f);
   guest_run(newest);
   CHECK_EQ(guest_count(at(&f, 1), newest, 0), 1);
   check_self(&f, 2, ENTRY + 3000 * (WORK + 2) + LEAVE);
   check_all();
}

/* A foreign home that grows while it runs in another function's context. */
static void test_growing_foreign_cells(void)
{
   begin(2);
   guest_call(&root, &f);
   guest_run(f.jump);
   guest_run(g.work);
   for (UInt i = 0; i < 1000; i++) {
      Block* block = guest_block(g.function, 2, EXIT_NONE);
      guest_run(block);
      guest_run(g.work);
   }
   check_self(&f, 1, ENTRY + 1 + WORK + 1000 * (2 + WORK));
   check_all();
}

/* Processor time, in seconds, of `rounds` calls of each of `n` new functions by
 * one call site. */
static double call_many(UInt n, UInt rounds)
{
   static Routine callees[64 * 1000];
   for (UInt i = 0; i < n; i++) {
      HChar name[20];
      VG_(sprintf)(name, "%u of %u", i, n);
      callees[i].function = guest_function(app, name);
      callees[i].entry = guest_block(callees[i].function, 3, EXIT_NONE);
      callees[i].leave = guest_block(callees[i].function, 1, EXIT_RETURN);
   }
   clock_t start = clock();
   for (UInt round = 0; round < rounds; round++)
      for (UInt i = 0; i < n; i++) {
         guest_call(&f, &callees[i]);
         guest_return(&callees[i], &f);
      }
   clock_t end = clock();
   /* The caller's newest arcs lead to them, the last one's first. */
   const Arc* arc = at(&f, 1)->arcs;
   for (UInt i = n; i-- > 0; arc = arc->next_of_caller) {
      CHECK(arc->callee->function == callees[i].function);
      CHECK_EQ(arc->callee->own.counts[0], rounds);
      CHECK_EQ(arc->callee->own.counts[1], rounds);
   }
   return (double)(end - start) / CLOCKS_PER_SEC;
}

/* 64,000 callees of one call site cost no more each than 8,000 do. Were there a
 * list of callees, they would cost eight times as much; a cache that is too
 * small for them, two or three times. */
static void test_many_callees(void)
{
   begin(2);
   guest_call(&root, &f);
   double few = call_many(8 * 1000, 2), many = call_many(64 * 1000, 2);
   CHECK(many < 5 * 8 * few + 0.05);
   CHECK_EQ(guest_count_arcs(at(&f, 1)), 8000 + 64000);
   guest_return(&f, &root);
   ULong calls = 2 * (8000 + 64000);
   check_calls(at(&root, 1), at(&f, 1), 1,
               ENTRY + calls * (CALL + ENTRY + LEAVE + BACK) + LEAVE);
   check_all();
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"call", test_call},
      {"nested", test_nested},
      {"call_site_of_many", test_call_site_of_many},
      {"side_exit", test_side_exit},
      {"recursion_of_1_level", test_recursion_of_1_level},
      {"recursion_of_2_levels", test_recursion_of_2_levels},
      {"recursion_of_10_levels", test_recursion_of_10_levels},
      {"shallow_recursion_of_10_levels", test_shallow_recursion_of_10_levels},
      {"mutual_recursion", test_mutual_recursion},
      {"deep_recursion", test_deep_recursion},
      {"deep_longjmp", test_deep_longjmp},
      {"tail_call", test_tail_call},
      {"call_in_tail_call", test_call_in_tail_call},
      {"tail_calls_in_turn", test_tail_calls_in_turn},
      {"jump_to_own_entry", test_jump_to_own_entry},
      {"stay", test_stay},
      {"unnamed", test_unnamed},
      {"guarded", test_guarded},
      {"call_in_place", test_call_in_place},
      {"return_as_jump", test_return_as_jump},
      {"longjmp", test_longjmp},
      {"exception", test_exception},
      {"longjmp_inside", test_longjmp_inside},
      {"longjmp_to_cold_half", test_longjmp_to_cold_half},
      {"stub", test_stub},
      {"stub_in_tail_call", test_stub_in_tail_call},
      {"stub_lost", test_stub_lost},
      {"resolver", test_resolver},
      {"returning_resolver", test_returning_resolver},
      {"resolver_in_tail_call", test_resolver_in_tail_call},
      {"growing_cells", test_growing_cells},
      {"growing_foreign_cells", test_growing_foreign_cells},
      {"many_callees", test_many_callees},
   };
   enum { N = sizeof tests / sizeof *tests };
   Test both[2 * N];
   char plain_names[N][64];
   for (UInt i = 0; i < N; i++) {
      VG_(sprintf)(plain_names[i], "%s%s", plain, tests[i].name);
      both[i] = tests[i];
      both[N + i] = (Test){plain_names[i], tests[i].run};
   }
   return check_main(both, 2 * N, n, names);
}
