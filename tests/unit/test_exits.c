/* Exits that tell where they lead: what happens at once, what waits until the
 * block there is translated or looks itself, and which calls and jumps may be
 * taken for the ones that were made from there last. */
#include "check.h"
#include "engine/handlers.h"
#include "engine/threads.h"
#include "fixture.h"

/* How many instructions a stub has. */
enum { STUB = 2 };

static void begin(void)
{
   make_code();
   start();
}

/* Whose cells count, or whether control is on its way. */
static Bool is_in(const Routine* r)
{
   return cg2_now.current == &at(r, 1)->own;
}

static Bool is_on_its_way(void)
{
   return cg2_now.current == &cg2_left;
}

/*--- When control arrives -----------------------------------------------*/

static void test_at_once(void)
{
   begin();
   guest_run(root.call);
   CHECK(is_in(&root));
   guest_head_for(f.entry->address);
   CHECK(is_in(&f));
   CHECK_EQ(depth(), 2);
   guest_run(f.entry);
   guest_run(f.leave);
   guest_head_for(root.back->address);
   CHECK(is_in(&root));
   CHECK_EQ(depth(), 1);
   check_all();
}

/* A call of a block that must be translated first arrives when it is. */
static void test_not_translated(void)
{
   begin();
   for (UInt i = 0; i < 3; i++) {
      guest_discard(f.entry);
      guest_run(root.call);
      guest_head_for(f.entry->address);
      CHECK(is_on_its_way());
      CHECK_EQ(depth(), 1);
      guest_arrive(f.entry);
      CHECK(is_in(&f));
      CHECK_EQ(depth(), 2);
      guest_leave(f.entry);
      guest_return(&f, &root);
   }
   check_arc(&root, &f, 3, 3 * (ENTRY + LEAVE));
   check_all();
}

/* What looks itself is waited for, translated or not. */
static void test_guarded(void)
{
   begin();
   Block* code = guest_block_guarded(f.function, 6, EXIT_NONE);
   Block* end = guest_block_guarded(g.function, 5, EXIT_RETURN);
   guest_run(root.call);
   guest_head_for(code->address);
   CHECK(is_on_its_way());
   guest_arrive(code);
   Function* called = code->function;
   CHECK(called && called != f.function);
   CHECK_EQ(depth(), 2);
   CHECK(cg2_now.current->home == f.function);
   guest_leave(code);
   guest_arrive(end);
   CHECK(cg2_now.current->home == g.function);
   guest_leave(end);
   guest_run(root.back);
   CHECK(is_in(&root));
   CHECK_EQ(guest_calls(at(&root, 1), guest_context(called, 1)), 1);
   CHECK_EQ(guest_self(guest_context(called, 1)), 6 + 5);
   check_all();
}

/* While a call waits for a translation, another thread calls another function
 * from there. The call arrives all the same, and the next one by the exit is
 * not taken for the same. */
static void test_elsewhere_on_the_way(void)
{
   begin();
   guest_discard(f.entry);
   guest_run(root.call);
   guest_head_for(f.entry->address);
   Addr sp = guest.sp;
   guest_switch(2, 2 * STACK);
   guest_run(root.entry);
   guest_call(&root, &g);
   guest_return(&g, &root);
   guest_switch(1, sp);
   guest_run(f.entry);
   guest_return(&f, &root);
   guest_call(&root, &g);
   CHECK(is_in(&g));
   guest_return(&g, &root);
   check_arc(&root, &f, 1, ENTRY + LEAVE);
   check_arc(&root, &g, 2, 2 * (ENTRY + LEAVE));
   check_all();
}

/* A return to just behind the call needs no look at what is there. */
static void test_return(void)
{
   begin();
   guest_call(&root, &f);
   guest_discard(root.back);
   guest_run(f.leave);
   guest_head_for(root.back->address);
   CHECK(is_in(&root));
   CHECK_EQ(depth(), 1);
   guest_run(root.back);
   check_arc(&root, &f, 1, ENTRY + LEAVE);
   check_all();
}

/* A function that was reached by tail calls returns at once for all of them. */
static void test_return_of_tail_calls(void)
{
   begin();
   guest_call(&root, &f);
   guest_run(f.jump);
   guest_run(g.entry);
   guest_run(g.jump);
   guest_run(h.entry);
   CHECK_EQ(depth(), 4);
   guest_discard(root.back);
   guest_run(h.leave);
   guest_head_for(root.back->address);
   CHECK(is_in(&root));
   CHECK_EQ(depth(), 1);
   guest_run(root.back);
   check_arc(&g, &h, 1, ENTRY + LEAVE);
   check_arc(&f, &g, 1, ENTRY + 1 + ENTRY + LEAVE);
   check_arc(&root, &f, 1, 2 * (ENTRY + 1) + ENTRY + LEAVE);
   CHECK_EQ(guest_count_arcs(at(&root, 1)), 1);
   check_all();
}

/* A return to another place goes the long way, and waits if it must. */
static void test_return_elsewhere(void)
{
   begin();
   guest_call(&root, &f);
   guest_discard(root.work);
   guest_run(f.leave);
   guest_head_for(root.work->address);
   CHECK(is_on_its_way());
   CHECK_EQ(depth(), 2);
   guest_run(root.work);
   CHECK(is_in(&root));
   CHECK_EQ(depth(), 1);
   check_all();
}

/* A call that is the last instruction of its unwind range returns to another
 * home, by the long way. */
static void test_return_to_other_home(void)
{
   begin();
   guest_exit(f.call)->return_address = 0;
   guest_exit(f.call)->behind = h.work->address;
   guest_call(&root, &f);
   for (UInt i = 0; i < 2; i++) {
      guest_call(&f, &g);
      guest_run(g.leave);
      guest_run(h.work);
      CHECK(cg2_thread_context() == at(&f, 1));
      CHECK(cg2_now.current->home == h.function);
      guest_run(h.jump);
      guest_run(f.work);
   }
   guest_return(&f, &root);
   check_arc(&f, &g, 2, 2 * (ENTRY + LEAVE));
   CHECK_EQ(guest_self(at(&f, 1)),
            ENTRY + 2 * (CALL + WORK + 1 + WORK) + LEAVE);
   check_all();
}

/* A jump inside the home that runs is no exit. */
static void test_jump_inside(void)
{
   begin();
   guest_call(&root, &f);
   guest_discard(f.work);
   guest_run(f.jump);
   guest_head_for(f.work->address);
   CHECK(is_in(&f));
   guest_run(f.work);
   check_all();
}

static void test_jump_not_translated(void)
{
   begin();
   guest_call(&root, &f);
   guest_discard(g.entry);
   guest_run(f.jump);
   guest_head_for(g.entry->address);
   CHECK(is_on_its_way());
   guest_run(g.entry);
   CHECK(is_in(&g));
   guest_return(&g, &root);
   check_arc(&f, &g, 1, ENTRY + LEAVE);
   check_all();
}

/*--- Stubs --------------------------------------------------------------*/

/* A stub is gone through on the way; behind it control arrives at once if it
 * can. */
static void go_by_stub(Bool is_fixed, Bool is_late)
{
   begin();
   Block* stub = guest_stub(app, STUB);
   if (is_fixed) guest_fix(root.call, stub);
   for (UInt i = 0; i < 3; i++) {
      if (is_late) guest_discard(f.entry);
      guest_run(root.call);
      guest_run(stub);
      guest_head_for(f.entry->address);
      CHECK(is_late ? cg2_now.current == &cg2_in_stub : is_in(&f));
      guest_run(f.entry);
      CHECK(is_in(&f));
      guest_return(&f, &root);
   }
   check_arc(&root, &f, 3, 3 * (ENTRY + LEAVE));
   CHECK_EQ(guest_skipped(at(&root, 1), at(&f, 1)), 3 * STUB);
   CHECK_EQ(cg2_threads_sums(0).n_skips, 3);
   check_all();
}

static void test_stub(void)
{
   go_by_stub(False, False);
}

static void test_stub_not_translated(void)
{
   go_by_stub(False, True);
}

static void test_fixed_stub(void)
{
   go_by_stub(True, False);
}

static void test_fixed_stub_not_translated(void)
{
   go_by_stub(True, True);
}

/* A stub that leads elsewhere than it did, as when its function is resolved
 * again. */
static void test_stub_of_two(void)
{
   begin();
   Block* stub = guest_stub(app, STUB);
   const Routine* callees[] = {&f, &g, &g, &f};
   guest_fix(root.call, stub);
   for (UInt i = 0; i < 4; i++) {
      guest_run(root.call);
      guest_run(stub);
      guest_run(callees[i]->entry);
      CHECK(is_in(callees[i]));
      guest_return(callees[i], &root);
   }
   check_arc(&root, &f, 2, 2 * (ENTRY + LEAVE));
   check_arc(&root, &g, 2, 2 * (ENTRY + LEAVE));
   check_all();
}

/* A jump that always goes to a stub. */
static void test_jump_to_stub(void)
{
   begin();
   Block* stub = guest_stub(app, STUB);
   guest_fix(f.jump, stub);
   for (UInt i = 0; i < 2; i++) {
      guest_call(&root, &f);
      guest_run(f.jump);
      guest_run(stub);
      guest_run(g.entry);
      CHECK(is_in(&g));
      guest_return(&g, &root);
   }
   check_arc(&f, &g, 2, 2 * (ENTRY + LEAVE));
   CHECK_EQ(guest_skipped(at(&f, 1), at(&g, 1)), 2 * STUB);
   check_all();
}

/* What returns through a stub pays for it, as there is no call that could. */
static void test_return_by_stub(void)
{
   begin();
   Block* stub = guest_stub(app, STUB);
   guest_call(&root, &f);
   guest_run(f.leave);
   guest_run(stub);
   guest_run(root.back);
   CHECK(is_in(&root));
   CHECK_EQ(guest_self(at(&root, 1)), ENTRY + CALL + STUB + BACK);
   CHECK_EQ(cg2_threads_sums(0).n_skips, 1);
   check_all();
}

/* A thread that is made to go on at a stub pays for the stub. */
static void test_moved_to_stub(void)
{
   begin();
   Block* stub = guest_stub(app, STUB);
   guest_discard(root.work);
   guest_move(guest.sp, stub->address);
   guest_run(stub);
   guest_head_for(root.work->address);
   check_all();
   CHECK_EQ(guest_self(at(&root, 1)), ENTRY + STUB);
   guest_run(root.work);
   CHECK_EQ(guest_self(at(&root, 1)), ENTRY + STUB + WORK);
   check_all();
}

/*--- Calls and jumps that are made again --------------------------------*/

/* A call that always goes to one place does not look there again. */
static void test_fixed_call(void)
{
   begin();
   guest_fix(root.call, f.entry);
   guest_call(&root, &f);
   guest_return(&f, &root);
   guest_discard(f.entry);
   guest_run(root.call);
   guest_head_for(f.entry->address);
   CHECK(is_in(&f));
   guest_run(f.entry);
   guest_return(&f, &root);
   check_arc(&root, &f, 2, 2 * (ENTRY + LEAVE));
   check_all();
}

/* A call of a block that is not translated any more is not the usual one:
 * another function may be at that address. */
static void test_discarded(void)
{
   begin();
   guest_call(&root, &f);
   guest_return(&f, &root);
   CHECK(f.entry->is_live);
   guest_discard(f.entry);
   CHECK(!f.entry->is_live);
   guest_run(root.call);
   guest_head_for(f.entry->address);
   CHECK(is_on_its_way());
   guest_run(f.entry);
   CHECK(f.entry->is_live);
   guest_return(&f, &root);
   check_arc(&root, &f, 2, 2 * (ENTRY + LEAVE));
   check_all();
}

/* A call by which nothing is called: the return address is overwritten, as
 * return trampolines do. It is what calls in the graph, but the next time it
 * goes to its own target again. */
static void test_replaced(void)
{
   begin();
   Routine thunk = guest_routine(app, "thunk");
   const Routine* callees[] = {&g, &h, &g};
   guest_fix(thunk.call, thunk.leave);
   for (UInt i = 0; i < 3; i++) {
      guest_call(&root, &thunk);
      guest_run(thunk.call);
      guest_head_for(thunk.leave->address);
      CHECK(cg2_thread_context() == at(&thunk, 2));
      guest_run(thunk.leave);
      guest_run(callees[i]->entry);
      CHECK(is_in(callees[i]));
      guest_return(callees[i], &root);
   }
   CHECK_EQ(guest_calls(at(&thunk, 1), at(&thunk, 2)), 3);
   check_arc(&thunk, &g, 2, 2 * (ENTRY + LEAVE));
   check_arc(&thunk, &h, 1, ENTRY + LEAVE);
   check_all();
}

/* What a call of a function leads to may change while the core redirects it. */
static void test_redirected(void)
{
   begin();
   const Routine* callees[] = {&g, &h, &g};
   guest_fix(root.call, f.entry);
   for (UInt i = 0; i < 3; i++) {
      guest_redirect(f.entry, callees[i]->entry);
      guest_run(root.call);
      guest_head_for(f.entry->address);
      guest_discard(callees[i]->entry);
      CHECK(is_on_its_way());
      guest_run(callees[i]->entry);
      CHECK(is_in(callees[i]));
      guest_return(callees[i], &root);
   }
   check_arc(&root, &g, 2, 2 * (ENTRY + LEAVE));
   check_arc(&root, &h, 1, ENTRY + LEAVE);
   check_all();
}

/* A tail call that is made again, and a jump of the same exit that leaves a
 * call on its way. */
static void test_jump_out_of_call(void)
{
   begin();
   guest_fix(f.jump, g.entry);
   for (UInt i = 0; i < 2; i++) {
      guest_call(&root, &f);
      guest_run(f.jump);
      guest_run(g.entry);
      guest_return(&g, &root);
   }
   check_arc(&f, &g, 2, 2 * (ENTRY + LEAVE));
   guest_call(&root, &h);
   Addr sp = guest.sp;
   guest_call(&h, &f);
   guest.sp = sp;
   guest_run(f.jump);
   guest_run(g.entry);
   CHECK_EQ(depth(), 3);
   CHECK_EQ(guest_calls(at(&h, 1), at(&g, 1)), 1);
   guest_return(&g, &root);
   CHECK(is_in(&root));
   check_arc(&f, &g, 2, 2 * (ENTRY + LEAVE));
   check_all();
}

/* A tail call of the dynamic linker's resolver is not how it ends. */
static void test_jump_of_resolver(void)
{
   begin();
   Block* stub = guest_stub(app, STUB);
   Routine resolver = guest_routine(app, "resolver");
   guest_fix(resolver.jump, g.entry);
   for (UInt i = 0; i < 2; i++) {
      guest_run(root.call);
      guest.sp -= 2 * WORD;
      guest_run(stub);
      guest_run(resolver.entry);
      if (i == 1) guest.sp += 2 * WORD;
      guest_run(resolver.jump);
      guest_run(g.entry);
      CHECK_EQ(depth(), i == 0 ? 3 : 2);
      if (i == 0) guest.sp += 2 * WORD;
      guest_return(&g, &root);
   }
   check_arc(&resolver, &g, 1, ENTRY + LEAVE);
   check_arc(&root, &g, 1, ENTRY + LEAVE);
   CHECK_EQ(guest_calls(at(&root, 1), at(&resolver, 1)), 2);
   check_all();
}

/* A tail call in a handler, and a jump of the same exit out of it, downwards
 * from the handler's own stack. */
static void test_jump_out_of_handler(void)
{
   begin();
   guest_fix(h.jump, g.entry);
   guest_interrupt(HIGH_ALT + 0x4000, HIGH_ALT, HIGH_ALT + ALT_BYTES);
   guest_run(h.entry);
   guest_call(&h, &h);
   guest_run(h.jump);
   guest_run(g.entry);
   guest_return(&g, &h);
   CHECK_EQ(guest_calls(at(&h, 2), at(&g, 1)), 1);
   guest_call(&h, &h);
   guest.sp = STACK - 0x100;
   guest_run(h.jump);
   guest_run(g.entry);
   CHECK_EQ(cg2_now.n_interrupted, 0);
   CHECK_EQ(guest_calls(at(&h, 2), at(&g, 1)), 1);
   check_all();
}

/*--- What a block can make sure of --------------------------------------*/

static void test_check(void)
{
   begin();
   guest_call(&root, &f);
   guest_check(f.work);
   CHECK_ASSERTS(guest_check(root.work));
   const Cells* right = cg2_now.current;
   ULong* counts = cg2_now.regs.cells;
   cg2_now.current = cg2_context_cells(at(&root, 1), f.function);
   CHECK_ASSERTS(guest_check(f.work));
   cg2_now.current = &cg2_left;
   CHECK_ASSERTS(guest_check(f.work));
   cg2_now.current = right;
   cg2_now.regs.cells = at(&root, 1)->own.counts;
   CHECK_ASSERTS(guest_check(f.work));
   cg2_now.regs.cells = counts;
   f.function->n_slots = right->n + 1;
   CHECK_ASSERTS(guest_check(f.work));
   f.function->n_slots = right->n;
   guest_check(f.work);
   CHECK(cg2_now.current == right);
}

/*--- Somebody else decides ----------------------------------------------*/

/* A handler changes where the interrupted code goes on: in its own function,
 * which is not seen, or in another, where it stays the function that runs. */
static void test_moved(void)
{
   begin();
   guest_call(&root, &f);
   guest_move(guest.sp, f.work->address);
   CHECK(is_in(&f));
   guest_run(f.work);
   guest_move(guest.sp, g.work->address);
   CHECK(cg2_thread_context() == at(&f, 1));
   CHECK(cg2_now.current->home == g.function);
   guest_run(g.work);
   guest_run(g.jump);
   guest_run(f.work);
   guest_return(&f, &root);
   CHECK_EQ(guest_self(at(&f, 1)), ENTRY + 3 * WORK + 1 + LEAVE);
   CHECK(!at(&g, 1));
   check_arc(&root, &f, 1, ENTRY + 3 * WORK + 1 + LEAVE);
   check_all();
}

/* To where nothing is translated yet, out of a call. */
static void test_moved_far(void)
{
   begin();
   guest_call(&root, &f);
   guest_discard(root.work);
   guest_move(STACK, root.work->address);
   CHECK(is_on_its_way());
   guest_run(root.work);
   CHECK(is_in(&root));
   CHECK_EQ(depth(), 1);
   check_arc(&root, &f, 1, ENTRY);
   check_all();
}

/* While a call was on its way that always goes to one place: the call is not
 * made, and the next one by that exit goes there. */
static void test_moved_in_call(void)
{
   begin();
   guest_fix(root.call, f.entry);
   guest_discard(f.entry);
   guest_run(root.call);
   guest_head_for(f.entry->address);
   guest_move(STACK, g.entry->address);
   CHECK(cg2_thread_context() == at(&root, 1));
   CHECK(!at(&f, 1) && !at(&g, 1));
   guest_run(g.entry);
   guest_run(g.jump);
   for (UInt i = 0; i < 2; i++) {
      guest_run(root.call);
      guest_run(f.entry);
      CHECK(is_in(&f));
      guest_return(&f, &root);
   }
   check_arc(&root, &f, 2, 2 * (ENTRY + LEAVE));
   check_all();
}

/* A thread is moved behind a stub, which is paid for where the thread goes
 * on. */
static void test_moved_behind_stub(void)
{
   begin();
   Block* stub = guest_stub(app, STUB);
   guest_discard(f.entry);
   guest_run(root.call);
   guest_run(stub);
   guest_head_for(f.entry->address);
   guest_move(STACK, root.work->address);
   CHECK(is_in(&root));
   guest_run(root.work);
   CHECK_EQ(guest_self(at(&root, 1)), ENTRY + CALL + STUB + WORK);
   CHECK_EQ(guest_count_arcs(at(&root, 1)), 0);
   check_all();
}

/* A thread that has not begun may begin anywhere. */
static void test_moved_first(void)
{
   begin();
   guest_switch(2, 2 * STACK);
   guest_move(2 * STACK, g.entry->address);
   CHECK(is_in(&g));
   CHECK_EQ(depth(), 1);
   guest_run(g.entry);
   check_all();
}

static void test_not_moved(void)
{
   begin();
   guest_call(&root, &f);
   const Cells* before = cg2_now.current;
   guest_move(guest.sp, guest.ip);
   CHECK(cg2_now.current == before);
   guest_run(f.work);
   check_all();
}

/* By editing the return address of a handler. */
static void test_moved_by_handler(void)
{
   begin();
   guest_call(&root, &f);
   Addr sp = guest.sp;
   guest_interrupt(sp - 0x200, 0, 0);
   guest_run(h.entry);
   guest_run(h.leave);
   guest_run(g.entry);
   cg2_handlers_return();
   guest.ip = cg2_now.stopped_at;
   guest_move(sp, f.leave->address);
   CHECK(is_in(&f));
   guest_run(f.leave);
   guest_run(root.back);
   CHECK(is_in(&root));
   check_arc(&root, &f, 1, ENTRY + LEAVE);
   check_all();
}

/* A thread that ended while it ran leaves a state that code can be translated
 * in. */
static void test_translate_without_thread(void)
{
   begin();
   guest_call(&root, &f);
   cg2_threads_end(1);
   CHECK(!cg2_threads_is_running(1));
   CHECK(is_on_its_way());
   CHECK_EQ(cg2_thread_last_exit()->kind, EXIT_START);
   CHECK(!cg2_thread_expect());
   CHECK(!cg2_thread_context());
   Block* more = guest_block(f.function, 2, EXIT_NONE);
   CHECK(cg2_block_translated(more->address) == more);
   CHECK_EQ(cg2_function_active(f.function), 0);
   check_all();
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"at_once", test_at_once},
      {"not_translated", test_not_translated},
      {"elsewhere_on_the_way", test_elsewhere_on_the_way},
      {"guarded", test_guarded},
      {"return", test_return},
      {"return_of_tail_calls", test_return_of_tail_calls},
      {"return_elsewhere", test_return_elsewhere},
      {"return_to_other_home", test_return_to_other_home},
      {"jump_inside", test_jump_inside},
      {"jump_not_translated", test_jump_not_translated},
      {"stub", test_stub},
      {"stub_not_translated", test_stub_not_translated},
      {"fixed_stub", test_fixed_stub},
      {"fixed_stub_not_translated", test_fixed_stub_not_translated},
      {"stub_of_two", test_stub_of_two},
      {"jump_to_stub", test_jump_to_stub},
      {"return_by_stub", test_return_by_stub},
      {"moved_to_stub", test_moved_to_stub},
      {"fixed_call", test_fixed_call},
      {"discarded", test_discarded},
      {"replaced", test_replaced},
      {"redirected", test_redirected},
      {"jump_out_of_call", test_jump_out_of_call},
      {"jump_of_resolver", test_jump_of_resolver},
      {"jump_out_of_handler", test_jump_out_of_handler},
      {"check", test_check},
      {"moved", test_moved},
      {"moved_far", test_moved_far},
      {"moved_in_call", test_moved_in_call},
      {"moved_behind_stub", test_moved_behind_stub},
      {"moved_first", test_moved_first},
      {"not_moved", test_not_moved},
      {"moved_by_handler", test_moved_by_handler},
      {"translate_without_thread", test_translate_without_thread},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
