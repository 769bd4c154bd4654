/* Stacks that a program switches between: where each lies, and what becomes of
 * their frames. */
#include "check.h"
#include "engine/collection.h"
#include "engine/fibers.h"
#include "engine/threads.h"
#include "fixture.h"

enum {
   ONE = 0x40000, /* where the stacks of coroutines begin */
   TWO = 0x60000,
   NEAR = 4096,
   LEFT_BEHIND = 64
};

static Routine body, swap;

static void make_coroutines(void)
{
   make_code();
   body = guest_routine(app, "body");
   swap = guest_routine(guest_object("libc"), "swap");
}

/*--- Where a stack lies -------------------------------------------------*/

static Arc* arc_to(const Routine* r)
{
   return cg2_graph_root(cg2_context_get(
      r->function, 0, cg2_context_separation((Separation){.thread = 0})));
}

static void push(Stack* stack, const Routine* r, Addr sp)
{
   static const Cost nothing;
   cg2_stack_grow(stack);
   cg2_stack_push(stack, arc_to(r), sp, 0, nothing.of);
}

/* root, which never returns, has called f, and that g. */
static Stack own_stack(void)
{
   Stack stack;
   cg2_stack_init(&stack);
   stack.start = 30000;
   push(&stack, &root, ~(Addr)0);
   push(&stack, &f, 29000);
   push(&stack, &g, 28000);
   return stack;
}

/* body has called f, and that g. */
static void lie_at(Fiber* fiber)
{
   fiber->stack.start = fiber->start;
   fiber->is_running = False;
   push(&fiber->stack, &body, fiber->start);
   push(&fiber->stack, &f, fiber->start - 100);
   push(&fiber->stack, &g, fiber->start - 200);
}

static Bool returns_to(const Stack* stack, Addr sp, const Block* block)
{
   Bool by_return = cg2_fibers_goes_on(stack, EXIT_RETURN, sp, block);
   CHECK_EQ(cg2_fibers_goes_on(stack, EXIT_JUMP, sp, block), by_return);
   return by_return;
}

static Fiber* found(Addr sp, const Block* block, Fiber* first)
{
   return cg2_fibers_find(EXIT_RETURN, sp, block, first);
}

/* Code goes on in a fiber from the frame that was entered last up to where the
 * fiber begins, in the function that is then on top. */
static void test_goes_on(void)
{
   make_coroutines();
   Fiber* fiber = cg2_fibers_add(10000);
   lie_at(fiber);
   const Stack* stack = &fiber->stack;
   CHECK(!returns_to(stack, 9799, g.work));
   CHECK(returns_to(stack, 9800, g.work));
   CHECK(!returns_to(stack, 9800, f.back));
   CHECK(returns_to(stack, 9801, f.back));
   CHECK(!returns_to(stack, 9801, g.work));
   CHECK(returns_to(stack, 9900, f.back));
   CHECK(!returns_to(stack, 9900, body.back));
   CHECK(returns_to(stack, 9901, body.back));
   CHECK(returns_to(stack, 10000, body.back));
   CHECK(!returns_to(stack, 10001, body.back));
   CHECK(!returns_to(stack, 9901, root.back));
}

/* Nobody returns to a function's beginning; code without a symbol is the
 * function's that its unwind range begins with. */
static void test_goes_on_in_code(void)
{
   make_coroutines();
   Fiber* fiber = cg2_fibers_add(10000);
   lie_at(fiber);
   CHECK(!returns_to(&fiber->stack, 9801, f.entry));
   CHECK(!returns_to(&fiber->stack, 9900, f.entry));
   const Block* cold = guest_block_unnamed(f.function, 1, EXIT_RETURN);
   CHECK(returns_to(&fiber->stack, 9900, cold));
   CHECK(!returns_to(&fiber->stack, 9800, cold));
}

/* A function that is entered at the top's own frame takes its place, but not
 * where the stack begins. */
static void test_takes_place(void)
{
   make_coroutines();
   Fiber* fiber = cg2_fibers_add(10000);
   lie_at(fiber);
   CHECK(returns_to(&fiber->stack, 9800, root.entry));
   CHECK(!returns_to(&fiber->stack, 9801, root.entry));
   CHECK(!returns_to(&fiber->stack, 9799, root.entry));
   CHECK(found(9800, root.entry, NULL) == fiber);
   fiber->stack.top = cg2_stack_frame(&fiber->stack, 1);
   CHECK(returns_to(&fiber->stack, 10000, root.entry));
   CHECK(!found(10000, root.entry, NULL));
   CHECK(found(10000, body.back, NULL) == fiber);
}

/* Where a function was called it is returned to, whose code that is. */
static void test_goes_on_behind_call(void)
{
   make_coroutines();
   Fiber* fiber = cg2_fibers_add(10000);
   lie_at(fiber);
   const Context* caller = fiber->stack.top->arc->callee;
   Arc* arc = cg2_graph_arc(guest_exit(root.call), (Context*)caller,
                            arc_to(&swap)->callee, swap.entry);
   static const Cost nothing;
   cg2_stack_grow(&fiber->stack);
   cg2_stack_push(&fiber->stack, arc, 9700, root.back->address, nothing.of);
   CHECK(returns_to(&fiber->stack, 9701, root.back));
   CHECK(returns_to(&fiber->stack, 9800, root.back));
   CHECK(!returns_to(&fiber->stack, 9801, root.back));
   CHECK(!returns_to(&fiber->stack, 9700, root.back));
   CHECK(!returns_to(&fiber->stack, 9701, root.work));
   CHECK(returns_to(&fiber->stack, 9701, g.work));
}

/* All that is known of a root that never returns is where its stack begins. */
static void test_goes_on_in_root(void)
{
   make_coroutines();
   Stack stack = own_stack();
   CHECK(returns_to(&stack, 29001, root.back));
   CHECK(returns_to(&stack, 30000, root.back));
   CHECK(!returns_to(&stack, 30001, root.back));
   stack.top = cg2_stack_frame(&stack, 1);
   CHECK(returns_to(&stack, 30000, root.back));
   CHECK(!returns_to(&stack, 29999, root.back));
   stack.top = cg2_stack_frame(&stack, 0);
   CHECK(!returns_to(&stack, 30000, root.back));
}

/* Code on the stack that runs may be anybody's, a little below its top. */
static void test_stays(void)
{
   make_coroutines();
   Stack stack = own_stack();
   CHECK(cg2_fibers_stays(&stack, EXIT_JUMP, 28000 - NEAR, body.work));
   CHECK(cg2_fibers_stays(&stack, EXIT_RETURN, 27999, body.entry));
   CHECK(!cg2_fibers_stays(&stack, EXIT_JUMP, 28000 - NEAR - 1, body.work));
   CHECK(!cg2_fibers_stays(&stack, EXIT_JUMP, 28000, body.work));
   CHECK(cg2_fibers_stays(&stack, EXIT_JUMP, 28000, g.work));
   CHECK(cg2_fibers_stays(&stack, EXIT_JUMP, 28000, body.entry));
   CHECK(!cg2_fibers_stays(&stack, EXIT_JUMP, 28001, body.entry));
}

/*--- All of them --------------------------------------------------------*/

static void check_starts(const Addr* starts, UInt n)
{
   CHECK_EQ(cg2_fibers_count(), n);
   for (UInt i = 0; i < n && i < cg2_fibers_count(); i++)
      CHECK_EQ(cg2_fibers_get(i)->start, starts[i]);
}

static void test_add_and_drop(void)
{
   Long before = host.n_allocated;
   Fiber* two = cg2_fibers_add(2000);
   CHECK(two->is_running);
   CHECK(cg2_stack_is_empty(&two->stack));
   CHECK(!two->is_own);
   Fiber* three = cg2_fibers_add(3000);
   Fiber* one = cg2_fibers_add(1000);
   Fiber* other = cg2_fibers_add(2000);
   check_starts((Addr[]){1000, 2000, 2000, 3000}, 4);
   CHECK(cg2_fibers_get(1) == other); /* the newest is found first */
   cg2_fibers_drop(two);
   check_starts((Addr[]){1000, 2000, 3000}, 3);
   CHECK(cg2_fibers_get(1) == other);
   cg2_fibers_drop(three);
   cg2_fibers_drop(one);
   cg2_fibers_drop(other);
   CHECK_EQ(cg2_fibers_count(), 0);
   CHECK_EQ(host.n_allocated, before + 1); /* the list */
}

/* In whatever order they are added, they lie in order. */
static void test_many(void)
{
   enum { N = 1000 };
   for (UInt i = 0; i < N; i++)
      cg2_fibers_add(1 + i * 7919 % N);
   CHECK_EQ(cg2_fibers_count(), N);
   for (UInt i = 0; i < N; i++)
      CHECK_EQ(cg2_fibers_get(i)->start, i + 1);
   while (cg2_fibers_count())
      cg2_fibers_drop(cg2_fibers_get(cg2_fibers_count() / 2));
}

/* The one that begins next above and can go on there, if it does not run. */
static void test_find(void)
{
   make_coroutines();
   CHECK(!found(10000, body.back, NULL));
   Fiber* low = cg2_fibers_add(10000);
   Fiber* high = cg2_fibers_add(20000);
   lie_at(low);
   lie_at(high);
   CHECK(found(9801, f.back, NULL) == low);
   CHECK(found(10000, body.back, NULL) == low);
   CHECK(!found(10001, body.back, NULL));
   CHECK(found(19800, g.work, NULL) == high);
   CHECK(!found(19799, g.work, NULL));
   CHECK(found(20000, body.back, NULL) == high);
   CHECK(!found(20001, body.back, NULL));
   low->is_running = True;
   CHECK(!found(9801, f.back, NULL));
}

/* Up to 8 may begin between. */
static void test_find_between(void)
{
   make_coroutines();
   Fiber* fiber = cg2_fibers_add(20000);
   lie_at(fiber);
   for (UInt i = 0; i < 8; i++)
      cg2_fibers_add(19901 + i);
   CHECK(found(19901, body.back, NULL) == fiber);
   cg2_fibers_add(19910);
   CHECK(!found(19901, body.back, NULL));
   CHECK(found(19902, body.back, NULL) == fiber);
}

/* A thread's own stack is tried last, as others may lie in it. */
static void test_find_first(void)
{
   make_coroutines();
   Fiber* own = cg2_fibers_add(30000);
   own->is_own = True;
   own->is_running = False;
   own->stack = own_stack();
   Fiber* inside = cg2_fibers_add(28900);
   lie_at(inside);
   CHECK(found(28800, f.back, own) == inside);
   CHECK(found(28900, body.back, own) == inside);
   CHECK(!found(28800, root.back, own));
   CHECK(found(28500, f.back, own) == own);
   CHECK(found(28500, f.back, NULL) == own);
   CHECK(found(29001, root.back, NULL) == own);
   own->is_running = True;
   CHECK(!found(28500, f.back, own));
   CHECK(!found(29001, root.back, own));
}

/* Nothing can go on where even the innermost function was entered beyond the
 * beginning. A thread's own stack stays. */
static void test_has_ended(void)
{
   make_coroutines();
   Fiber* fiber = cg2_fibers_add(10000);
   CHECK(cg2_fibers_has_ended(fiber));
   push(&fiber->stack, &body, 10001);
   CHECK(cg2_fibers_has_ended(fiber));
   fiber->is_own = True;
   CHECK(!cg2_fibers_has_ended(fiber));
   fiber->is_own = False;
   push(&fiber->stack, &f, 10000);
   CHECK(!cg2_fibers_has_ended(fiber));
}

/* A fiber is over that is used where another stack begins, or that begins
 * there. A thread's own stack is there to lie in. */
static void test_over(void)
{
   make_coroutines();
   CHECK(!cg2_fibers_over(10000));
   Fiber* fiber = cg2_fibers_add(10000);
   lie_at(fiber);
   CHECK(!cg2_fibers_over(9800 - WORD - 1));
   CHECK(cg2_fibers_over(9800 - WORD) == fiber);
   CHECK(cg2_fibers_over(10000) == fiber);
   CHECK(!cg2_fibers_over(10001));
   push(&fiber->stack, &body, 10001); /* as after its first function's end */
   CHECK(cg2_fibers_over(10000) == fiber);
   fiber->is_own = True;
   CHECK(!cg2_fibers_over(10000));
   fiber->is_own = False;
   fiber->is_running = True;
   CHECK(!cg2_fibers_over(10000));
}

/* A fiber is overwritten that a frame lies in; no fiber between two frames, and
 * none that runs. */
static void test_overwritten(void)
{
   make_coroutines();
   Stack stack = own_stack();
   CHECK(!cg2_fibers_overwritten(&stack));
   Fiber* between = cg2_fibers_add(28999);
   lie_at(between);
   CHECK(!cg2_fibers_overwritten(&stack));
   Fiber* below = cg2_fibers_add(27999);
   lie_at(below);
   CHECK(!cg2_fibers_overwritten(&stack));
   Fiber* at_start = cg2_fibers_add(30000);
   lie_at(at_start);
   CHECK(!cg2_fibers_overwritten(&stack));
   for (Addr start = 29000; start <= 29200; start += 100) {
      Fiber* fiber = cg2_fibers_add(start);
      lie_at(fiber);
      CHECK(cg2_fibers_overwritten(&stack) == fiber);
      fiber->is_running = True;
      CHECK(!cg2_fibers_overwritten(&stack));
      fiber->is_running = False;
      fiber->is_own = True;
      CHECK(!cg2_fibers_overwritten(&stack));
      cg2_fibers_drop(fiber);
   }
   lie_at(cg2_fibers_add(29201 + WORD));
   CHECK(!cg2_fibers_overwritten(&stack));
   lie_at(cg2_fibers_add(28000));
   CHECK_EQ(cg2_fibers_overwritten(&stack)->start, 28000);
}

/* A stack that has not run begins where no frame of this one can be. */
static void test_is_elsewhere(void)
{
   make_coroutines();
   Stack stack = own_stack();
   CHECK(!cg2_fibers_is_elsewhere(&stack, 28000 - NEAR, body.back));
   CHECK(cg2_fibers_is_elsewhere(&stack, 28000 - NEAR - 1, body.back));
   CHECK(!cg2_fibers_is_elsewhere(&stack, 28000, body.back));
   CHECK(!cg2_fibers_is_elsewhere(&stack, 28000 + NEAR, body.back));
   CHECK(cg2_fibers_is_elsewhere(&stack, 28000 + NEAR + 1, body.back));
   stack.start = 40000;
   CHECK(!cg2_fibers_is_elsewhere(&stack, 40000, body.back));
   CHECK(cg2_fibers_is_elsewhere(&stack, 40001, body.back));
   CHECK(!cg2_fibers_is_elsewhere(&stack, 40001, root.back)); /* longjmp */
   CHECK(cg2_fibers_is_elsewhere(&stack, 40001, f.back));
   CHECK(!cg2_fibers_is_elsewhere(&stack, 20000, g.back)); /* alloca */
   CHECK(cg2_fibers_is_elsewhere(&stack, 20000, f.back));
   stack.top = cg2_stack_frame(&stack, 0);
   CHECK(!cg2_fibers_is_elsewhere(&stack, 40001, body.back));
}

/* A function's beginning is reached by what leaves a function, too, which puts
 * the stack pointer just above that one's frame. */
static void test_is_elsewhere_at_entry(void)
{
   make_coroutines();
   Stack stack = own_stack();
   push(&stack, &g, 20000);
   CHECK(!cg2_fibers_is_elsewhere(&stack, 28000 + LEFT_BEHIND, body.entry));
   CHECK(cg2_fibers_is_elsewhere(&stack, 28000 + LEFT_BEHIND + 1, body.entry));
   CHECK(!cg2_fibers_is_elsewhere(&stack, 29000 + LEFT_BEHIND, body.entry));
   CHECK(cg2_fibers_is_elsewhere(&stack, 29000 + LEFT_BEHIND + 1, body.entry));
   CHECK(cg2_fibers_is_elsewhere(&stack, 30001, f.entry));
   CHECK(cg2_fibers_is_elsewhere(&stack, 20000 - NEAR - 1, f.entry));
   CHECK(!cg2_fibers_is_elsewhere(&stack, 20000 - NEAR, f.entry));
}

/*--- Switching ----------------------------------------------------------*/

static void begin(void)
{
   make_coroutines();
   start();
}

static void check_root(const Routine* r, ULong calls, ULong inclusive)
{
   const Arc* arc = cg2_graph_root(at(r, 1));
   CHECK_EQ(arc->count, calls);
   CHECK_EQ(arc->inclusive[EVENT_IR], inclusive);
}

/* Checks that the routine's function is on top of so many frames. */
static void check_top(const Routine* r, UInt n)
{
   check_runs(r);
   CHECK_EQ(depth(), n);
}

/* `from` calls swap, which takes the stack pointer from `sp` and returns; what
 * it comes back with is the result. */
static Addr leave_for(const Routine* from, Addr sp)
{
   guest_call(from, &swap);
   Addr own = guest.sp;
   guest.sp = sp;
   guest_run(swap.leave);
   return own;
}

/* A stack that begins there, with body. */
static Addr start_at(const Routine* from, Addr top)
{
   Addr own = leave_for(from, top - WORD);
   guest_run(body.entry);
   return own;
}

/* The stack goes on that stopped in `to` with `sp`. */
static Addr go_to(const Routine* from, const Routine* to, Addr sp)
{
   Addr own = leave_for(from, sp);
   guest_run(to->back);
   return own;
}

/* The stack that stopped in `to` with `sp` goes on, by a jump to where swap was
 * called. */
static Addr jump_to(const Routine* from, const Routine* to, Addr sp)
{
   guest_call(from, &swap);
   Addr own = guest.sp;
   guest.sp = sp + WORD;
   guest_run(swap.jump);
   guest_run(to->back);
   return own;
}

/* What one switch to a stack and back costs the one that is left: the call of
 * swap, swap's inclusive cost, where it goes on. */
enum { SWAP = ENTRY + LEAVE, TURN = CALL + SWAP + BACK };

/* Two stacks, in turn: what one costs is no cost of the other's calls. */
static void test_turns(void)
{
   begin();
   guest_call(&root, &f);
   Addr main = start_at(&f, ONE);
   check_top(&body, 1);
   CHECK_EQ(cg2_function_active(f.function), 0);
   CHECK_EQ(cg2_function_active(body.function), 1);
   for (UInt i = 0; i < 10; i++) {
      guest_call(&body, &g);
      guest_run(g.work);
      guest_return(&g, &body);
      Addr coroutine = go_to(&body, &f, main);
      check_top(&f, 2);
      main = go_to(&f, &body, coroutine);
      check_top(&body, 1);
      check_all();
   }
   go_to(&body, &f, main);
   guest_return(&f, &root);
   check_top(&root, 1);
   check_all();
   check_arc(&root, &f, 1, ENTRY + 11 * TURN + LEAVE);
   check_arc(&body, &g, 10, 10 * (ENTRY + WORK + LEAVE));
   check_arc(&f, &swap, 11, 11 * SWAP);
   check_arc(&body, &swap, 11, 11 * SWAP);
   check_root(&body, 1,
              ENTRY + 10 * (CALL + ENTRY + WORK + LEAVE + BACK) + 10 * TURN +
                 CALL + SWAP);
   CHECK_EQ(cg2_fibers_count(), 2);
}

static void test_by_jump(void)
{
   begin();
   guest_call(&root, &f);
   Addr main = start_at(&f, ONE);
   Addr coroutine = jump_to(&body, &f, main);
   check_top(&f, 2);
   main = jump_to(&f, &body, coroutine);
   check_top(&body, 1);
   jump_to(&body, &f, main);
   check_top(&f, 2);
   guest_return(&f, &root);
   check_arc(&root, &f, 1, ENTRY + 2 * TURN + LEAVE);
   check_arc(&f, &swap, 2, 2 * SWAP);
   check_all();
}

/* An exit that stayed on its stack the last times it went there need not do so
 * again. */
static void test_by_jump_that_stayed(void)
{
   begin();
   guest_call(&root, &f);
   Addr main = start_at(&f, ONE);
   Addr coroutine = jump_to(&body, &f, main);
   for (UInt i = 0; i < 3; i++) {
      guest_run(f.jump);
      guest_run(body.back);
      check_top(&f, 2);
      guest_run(body.jump);
      guest_run(f.back);
      check_top(&f, 2);
   }
   CHECK(cg2_block_exits(f.jump)[0].home == body.function);
   guest.sp = coroutine + WORD;
   guest_run(f.jump);
   guest_run(body.back);
   check_top(&body, 1);
   check_all();
}

/* A function that is active on another stack is not a recursion on this one. */
static void test_levels(void)
{
   begin();
   guest_call(&root, &body);
   Addr main = start_at(&body, ONE);
   guest_call(&body, &g);
   check_top(&g, 2);
   CHECK_EQ(cg2_function_active(body.function), 1);
   CHECK_EQ(cg2_function_active(swap.function), 0);
   CHECK(!at(&body, 2));
   guest_return(&g, &body);
   go_to(&body, &body, main);
   check_top(&body, 2);
   CHECK(!at(&body, 2));
   check_all();
}

/* When a stack's first function returns, the code that comes then is a root as
 * well. If that code changes stacks, nothing stays of the stack that it
 * leaves. */
static void test_end(void)
{
   begin();
   Addr main = start_at(&root, ONE);
   guest_run(body.leave);
   guest_run(g.entry); /* which __start_context is in glibc */
   check_top(&g, 1);
   check_root(&body, 1, ENTRY + LEAVE);
   go_to(&g, &root, main);
   check_top(&root, 1);
   check_all();
   check_root(&g, 1, ENTRY + CALL + SWAP);
   CHECK_EQ(cg2_fibers_count(), 2);
   start_at(&root, TWO);
   guest_run(body.leave);
   guest_run(g.entry);
   guest.sp = main;
   guest_run(g.leave);
   guest_run(root.back);
   check_top(&root, 1);
   CHECK_EQ(cg2_fibers_count(), 2);
   check_all();
}

/* A stack that was abandoned, and one that begins in the same place. */
static void test_reuse(void)
{
   begin();
   for (UInt i = 0; i < 10; i++) {
      Addr main = start_at(&root, ONE);
      check_top(&body, 1);
      go_to(&body, &root, main);
      CHECK_EQ(cg2_fibers_count(), 2);
   }
   check_all();
   check_root(&body, 10, 10 * (ENTRY + CALL + SWAP));
   check_arc(&root, &swap, 10, 10 * SWAP);
}

/* Stacks begin a little above and below where others were: the stack that is
 * there now is found, not what lay there before. */
static void test_reuse_nearby(void)
{
   begin();
   for (UInt i = 0; i < 10; i++) {
      Addr main = start_at(&root, ONE + 32 * (i * 7 % 10));
      guest_call(&body, &f);
      guest_call(&f, &g);
      Addr coroutine = go_to(&g, &root, main);
      main = go_to(&root, &g, coroutine);
      check_top(&g, 3);
      go_to(&g, &root, main);
      check_top(&root, 1);
      check_all();
   }
   check_root(&body, 10,
              10 * (ENTRY + CALL + ENTRY + CALL + ENTRY + TURN + CALL + SWAP));
   CHECK_EQ(cg2_graph_root(at(&root, 1))->count, 1);
}

/* Coroutines that begin each other in the middle of one function, above and
 * below: that it has a frame on the stack that is left makes none a longjmp. */
static void test_same_function(void)
{
   begin();
   Addr main = leave_for(&root, ONE - WORD);
   guest_run(g.work);
   check_top(&g, 1);
   Addr one = leave_for(&g, TWO - WORD);
   guest_run(g.work);
   check_top(&g, 1);
   Addr two = leave_for(&g, ONE - 0x10000 - WORD);
   guest_run(g.work);
   check_top(&g, 1);
   go_to(&g, &g, two);
   go_to(&g, &g, one);
   go_to(&g, &root, main);
   check_top(&root, 1);
   CHECK_EQ(cg2_fibers_count(), 4);
   check_all();
   check_root(&g, 3, 3 * (WORK + CALL + SWAP) + 2 * (BACK + CALL + SWAP));
}

/* A function runs on a stack that lies still, in place of what stopped it, and
 * returns for that. */
static void test_on_top(void)
{
   begin();
   Addr main = start_at(&root, ONE);
   Addr coroutine = go_to(&body, &root, main);
   guest_call(&root, &swap);
   main = guest.sp;
   guest.sp = coroutine;
   guest_run(swap.jump);
   guest_run(f.entry);
   check_top(&f, 3);
   guest_run(f.leave);
   guest_run(body.back);
   check_top(&body, 1);
   go_to(&body, &root, main);
   check_top(&root, 1);
   check_all();
   check_arc(&swap, &f, 1, ENTRY + LEAVE);
   check_root(&body, 1, ENTRY + TURN + ENTRY + LEAVE + CALL + SWAP);
   CHECK_EQ(cg2_fibers_count(), 2);
}

/* A coroutine's stack is an array in a coroutine's frame. */
static void test_nested(void)
{
   begin();
   Addr main = start_at(&root, ONE);
   guest_call(&body, &f);
   guest.sp -= 0x4000;
   Addr outer = leave_for(&f, ONE - 0x1000);
   guest_run(g.entry);
   check_top(&g, 1);
   Addr inner = go_to(&g, &f, outer);
   check_top(&f, 2);
   outer = go_to(&f, &g, inner);
   check_top(&g, 1);
   inner = go_to(&g, &root, main);
   check_top(&root, 1);
   main = go_to(&root, &f, outer);
   check_top(&f, 2);
   outer = go_to(&f, &g, inner);
   check_top(&g, 1);
   go_to(&g, &f, outer);
   guest.sp += 0x4000;
   guest_return(&f, &body);
   check_top(&body, 1);
   check_all();
   check_arc(&f, &swap, 3, 3 * SWAP);
}

/* Between a switch and the first block there, which is not translated, comes
 * another thread. */
static void test_late(void)
{
   begin();
   Addr main = start_at(&root, ONE);
   guest_discard(root.back);
   Addr coroutine = leave_for(&body, main);
   guest_head_for(root.back->address);
   Addr sp = guest.sp;
   guest_switch(2, 2 * STACK);
   guest_run(g.entry);
   guest_switch(1, sp);
   guest_run(root.back);
   check_top(&root, 1);
   guest_discard(body.back);
   go_to(&root, &body, coroutine);
   check_top(&body, 1);
   check_all();
}

/*--- In between ---------------------------------------------------------*/

/* A dump puts down what each stack has cost, once. */
static void test_flush(void)
{
   begin();
   guest_call(&root, &f);
   Addr main = start_at(&f, ONE);
   guest_run(body.work);
   check_all();
   check_all();
   check_arc(&root, &f, 1, ENTRY + CALL + SWAP);
   check_root(&body, 1, ENTRY + WORK);
   go_to(&body, &f, main);
   check_all();
   check_root(&body, 1, ENTRY + WORK + CALL + SWAP);
   check_arc(&root, &f, 1, ENTRY + TURN);
}

/* Calls that are open on a stack that lies still count from zero on, too. */
static void test_zero(void)
{
   begin();
   guest_call(&root, &f);
   Addr main = start_at(&f, ONE);
   guest_call(&body, &g);
   cg2_threads_zero(0);
   guest.executed = guest.blocks = 0;
   check_arc(&root, &f, 1, 0);
   check_arc(&f, &swap, 1, 0);
   check_arc(&body, &g, 1, 0);
   check_root(&body, 1, 0);
   check_root(&root, 1, 0);
   guest_run(g.work);
   go_to(&g, &f, main);
   guest_return(&f, &root);
   check_all();
   check_arc(&root, &f, 1, BACK + LEAVE);
   check_arc(&body, &g, 1, WORK + CALL + SWAP);
}

/* Zeroing one thread zeroes the fibers that it ran last. */
static void test_zero_thread(void)
{
   cg2_engine_config.are_threads_apart = True;
   begin();
   Addr main = start_at(&root, ONE);
   go_to(&body, &root, main);
   ULong first = guest.executed, first_blocks = guest.blocks;
   guest_switch(2, 2 * STACK);
   guest_run(g.entry);
   cg2_threads_zero(1);
   guest.executed -= first;
   guest.blocks -= first_blocks;
   check_all();
   check_root(&body, 1, 0);
   CHECK_EQ(cg2_threads_sums(1).total.of[EVENT_IR], 0);
   CHECK_EQ(cg2_threads_sums(2).total.of[EVENT_IR], ENTRY);
}

/* The child of a fork has the stacks that lie still, and from zero on. */
static void test_fork(void)
{
   begin();
   Addr main = start_at(&root, ONE);
   guest_call(&body, &g);
   Addr coroutine = go_to(&g, &root, main);
   cg2_threads_forked(1);
   guest.executed = guest.blocks = 0;
   check_arc(&body, &g, 1, 0);
   main = go_to(&root, &g, coroutine);
   check_top(&g, 2);
   guest_return(&g, &body);
   check_arc(&body, &g, 1, BACK + LEAVE);
   go_to(&body, &root, main);
   check_all();
   check_arc(&root, &swap, 1, SWAP);
   check_arc(&g, &swap, 1, 0);
}

/* A handler interrupts a coroutine, and is left by longjmp. */
static void test_signal(void)
{
   begin();
   Addr main = start_at(&root, ONE);
   guest_call(&body, &g);
   Addr sp = guest.sp;
   guest_interrupt(sp - 0x400, 0, 0);
   guest_run(f.entry);
   guest.sp = sp + WORD;
   guest_run(f.jump);
   guest_run(body.back);
   check_top(&body, 1);
   CHECK_EQ(cg2_now.n_interrupted, 0);
   go_to(&body, &root, main);
   check_top(&root, 1);
   check_all();
   check_arc(&body, &g, 1, ENTRY);
   check_root(&f, 1, ENTRY + 1);
}

/* A handler that runs on a stack of its own is no coroutine. */
static void test_signal_stack(void)
{
   begin();
   guest_interrupt(ONE - 0x400, ONE - 0x8000, ONE);
   guest_run(f.entry);
   guest_call(&f, &g);
   guest_return(&g, &f);
   guest_run(f.leave);
   guest_run(swap.entry);
   guest_resume(STACK);
   check_top(&root, 1);
   CHECK_EQ(cg2_fibers_count(), 0);
   check_all();
}

/*--- Collection ---------------------------------------------------------*/

/* Collection goes off on one stack and on again on the other. A call that is
 * open on the first stack when that goes on counts, as any other open call. */
static void test_collect(void)
{
   begin();
   guest_call(&root, &f);
   Addr main = start_at(&f, ONE);
   guest_call(&body, &g);
   cg2_collection_switch(False);
   ULong before = guest.executed;
   guest_run(g.work);
   Addr coroutine = go_to(&g, &f, main);
   guest_run(f.work);
   cg2_collection_switch(True);
   ULong off = guest.executed - before;
   guest_run(f.work);
   main = go_to(&f, &g, coroutine);
   guest_run(g.work);
   guest_return(&g, &body);
   go_to(&body, &f, main);
   guest_return(&f, &root);
   const char* fault = guest_fault();
   CHECK_TEXT(fault ? fault : "", "");
   fault = guest_sum_fault();
   CHECK_TEXT(fault ? fault : "", "");
   CHECK_EQ(guest_total(), guest.executed - off);
   check_arc(&body, &g, 1, ENTRY + BACK + WORK + LEAVE);
   check_arc(&root, &f, 1, ENTRY + CALL + SWAP + WORK + TURN + LEAVE);
   check_arc(&g, &swap, 1, 0);
}

/* A stack that stopped while it was off, and begins and ends so: nothing of it
 * is in the profile. */
static void test_never_collected(void)
{
   begin();
   cg2_collection_switch(False);
   ULong before = guest.executed;
   Addr main = start_at(&root, ONE);
   Addr coroutine = go_to(&body, &root, main);
   main = go_to(&root, &body, coroutine);
   guest_run(body.leave);
   guest_run(g.entry);
   go_to(&g, &root, main);
   cg2_collection_switch(True);
   ULong off = guest.executed - before;
   guest_run(root.work);
   CHECK(!at(&body, 1));
   CHECK(!at(&swap, 1));
   CHECK_TEXT(guest_sum_fault() ? "a fault" : "", "");
   CHECK_EQ(guest_total(), guest.executed - off);
}

/*--- Threads ------------------------------------------------------------*/

/* A stack that one thread begins and another goes on with; and what it cost is
 * in the sums of both. */
static void test_migration(void)
{
   begin();
   Addr main = start_at(&root, ONE);
   guest_call(&body, &g);
   Addr coroutine = go_to(&g, &root, main);
   ULong first = guest.executed;
   Addr sp = guest.sp;
   guest_switch(2, 2 * STACK);
   guest_run(f.entry);
   Addr second = go_to(&f, &g, coroutine);
   check_top(&g, 2);
   guest_return(&g, &body);
   go_to(&body, &f, second);
   check_top(&f, 1);
   check_all();
   CHECK_EQ(cg2_threads_sums(1).total.of[EVENT_IR], first);
   CHECK_EQ(cg2_threads_sums(2).total.of[EVENT_IR], guest.executed - first);
   check_arc(&body, &g, 1, ENTRY + TURN + LEAVE);
   guest_switch(1, sp);
   check_top(&root, 1);
   check_all();
}

/* Threads that are kept apart do not: there it is a root. */
static void test_threads_apart(void)
{
   cg2_engine_config.are_threads_apart = True;
   begin();
   Addr main = start_at(&root, ONE);
   guest_call(&body, &g);
   Addr coroutine = go_to(&g, &root, main);
   Addr sp = guest.sp;
   guest_switch(2, 2 * STACK);
   guest_run(f.entry);
   Addr second = leave_for(&f, coroutine);
   guest_run(g.back);
   check_top(&g, 1);
   go_to(&g, &f, second);
   check_top(&f, 1);
   check_all();
   guest_switch(1, sp);
   main = leave_for(&root, ONE - WORD);
   guest_run(body.entry);
   check_top(&body, 1);
   go_to(&body, &root, main);
   check_all();
}

/* What a thread runs goes with it; what it has left lies there for others. */
static void test_thread_end(void)
{
   begin();
   Addr main = start_at(&root, ONE);
   Addr coroutine = leave_for(&body, TWO - WORD);
   guest_run(g.entry);
   CHECK_EQ(cg2_fibers_count(), 3);
   cg2_threads_end(1);
   CHECK_EQ(cg2_fibers_count(), 1);
   CHECK_EQ(cg2_fibers_get(0)->start, ONE);
   CHECK_EQ(cg2_function_active(g.function), 0);
   guest_switch(2, 2 * STACK);
   guest_run(f.entry);
   go_to(&f, &body, coroutine);
   check_top(&body, 1);
   check_all();
   (void)main;
}

/* A thread that does not run ends while it is on a coroutine's stack. */
static void test_other_ends(void)
{
   begin();
   Addr main = start_at(&root, ONE);
   guest_run(body.work);
   guest_switch(2, 2 * STACK);
   guest_run(f.entry);
   cg2_threads_end(1);
   CHECK_EQ(cg2_fibers_count(), 0);
   check_all();
   check_root(&body, 1, ENTRY + WORK);
   start_at(&f, ONE);
   check_top(&body, 1);
   check_all();
   check_root(&body, 2, ENTRY + WORK + ENTRY);
   (void)main;
}

/* A thread ends while another runs its own stack: it goes on there, and what it
 * leaves lies there for others. */
static void test_own_stack_elsewhere(void)
{
   begin();
   Addr main = start_at(&root, ONE);
   guest_switch(2, 2 * STACK);
   guest_run(f.entry);
   Addr second = go_to(&f, &root, main);
   CHECK_EQ(cg2_fibers_count(), 3);
   cg2_threads_end(1);
   CHECK_EQ(cg2_fibers_count(), 2);
   check_top(&root, 1);
   guest_call(&root, &g);
   guest_return(&g, &root);
   check_arc(&root, &g, 1, ENTRY + LEAVE);
   main = go_to(&root, &f, second);
   check_top(&f, 1);
   check_all();
   cg2_threads_end(2);
   CHECK_EQ(cg2_fibers_count(), 1);
   guest_switch(3, 3 * STACK);
   guest_run(f.entry);
   go_to(&f, &root, main);
   check_top(&root, 1);
   check_all();
   check_root(&f, 2, 2 * (ENTRY + CALL + SWAP) + BACK);
}

/* A thread ends on another's own stack, which is gone with it: what comes back
 * there is a root. */
static void test_end_on_own_stack_of_other(void)
{
   begin();
   Addr main = start_at(&root, ONE);
   Addr sp = guest.sp;
   guest_switch(2, 2 * STACK);
   guest_run(f.entry);
   go_to(&f, &root, main);
   cg2_threads_end(2);
   CHECK_EQ(cg2_fibers_count(), 1);
   guest_switch(1, sp);
   check_top(&body, 1);
   CHECK(!cg2_now.first);
   go_to(&body, &root, main);
   check_top(&root, 1);
   check_all();
   check_root(&root, 2, ENTRY + CALL + SWAP + 2 * BACK);
   cg2_threads_end(1);
   CHECK_EQ(cg2_fibers_count(), 1);
   CHECK_EQ(cg2_fibers_get(0)->start, ONE);
}

/* Nothing is known of any stack once nothing was instrumented. */
static void test_instrumentation_off(void)
{
   begin();
   Addr main = start_at(&root, ONE);
   guest_call(&body, &g);
   Addr coroutine = go_to(&g, &root, main);
   cg2_threads_forget_stacks();
   CHECK_EQ(cg2_fibers_count(), 0);
   CHECK(!cg2_now.fiber);
   CHECK(!cg2_now.first);
   check_arc(&body, &g, 1, ENTRY + CALL + SWAP);
   cg2_now.is_unknown = False;
   guest_move(guest.sp, f.entry->address);
   guest_run(f.entry);
   check_top(&f, 1);
   go_to(&f, &g, coroutine);
   check_top(&g, 1);
   check_all();
   CHECK_EQ(cg2_graph_root(at(&g, 1))->count, 1);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"goes_on", test_goes_on},
      {"goes_on_in_code", test_goes_on_in_code},
      {"takes_place", test_takes_place},
      {"goes_on_behind_call", test_goes_on_behind_call},
      {"goes_on_in_root", test_goes_on_in_root},
      {"stays", test_stays},
      {"add_and_drop", test_add_and_drop},
      {"many", test_many},
      {"find", test_find},
      {"find_between", test_find_between},
      {"find_first", test_find_first},
      {"has_ended", test_has_ended},
      {"over", test_over},
      {"overwritten", test_overwritten},
      {"is_elsewhere", test_is_elsewhere},
      {"is_elsewhere_at_entry", test_is_elsewhere_at_entry},
      {"turns", test_turns},
      {"by_jump", test_by_jump},
      {"by_jump_that_stayed", test_by_jump_that_stayed},
      {"levels", test_levels},
      {"end", test_end},
      {"reuse", test_reuse},
      {"reuse_nearby", test_reuse_nearby},
      {"same_function", test_same_function},
      {"on_top", test_on_top},
      {"nested", test_nested},
      {"late", test_late},
      {"flush", test_flush},
      {"zero", test_zero},
      {"zero_thread", test_zero_thread},
      {"fork", test_fork},
      {"signal", test_signal},
      {"signal_stack", test_signal_stack},
      {"collect", test_collect},
      {"never_collected", test_never_collected},
      {"migration", test_migration},
      {"threads_apart", test_threads_apart},
      {"thread_end", test_thread_end},
      {"other_ends", test_other_ends},
      {"own_stack_elsewhere", test_own_stack_elsewhere},
      {"end_on_own_stack_of_other", test_end_on_own_stack_of_other},
      {"instrumentation_off", test_instrumentation_off},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
