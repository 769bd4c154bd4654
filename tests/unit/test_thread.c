/* Threads, signals, forks: stacks that come and go. */
#include "check.h"
#include "engine/arrival.h"
#include "engine/collection.h"
#include "engine/handlers.h"
#include "engine/threads.h"
#include "fixture.h"

/* The start of an alternate stack that lies below all others. */
enum { ALT = 0x20000 };

static Routine handler, restorer;

static void begin(void)
{
   make_code();
   handler = guest_routine(app, "handler");
   restorer = guest_routine(app, "restorer");
   start();
}

/*--- Threads ------------------------------------------------------------*/

/* Two threads in the same functions, in turn: each has its own stack, its own
 * recursion levels, and a cost of its own; arcs are shared. */
static void test_two_threads(void)
{
   begin();
   guest_call(&root, &f);
   Addr sp = guest.sp;
   CHECK_EQ(cg2_function_active(f.function), 1);
   guest_switch(2, 2 * STACK);
   CHECK_EQ(cg2_function_active(f.function), 0);
   guest_run(g.entry);
   guest_call(&g, &f);
   CHECK_EQ(cg2_function_active(f.function), 1);
   check_all();
   for (UInt i = 0; i < 10; i++) {
      guest_switch(1, sp);
      check_runs(&f);
      guest_run(f.work);
      guest_switch(2, 2 * STACK - WORD);
      check_runs(&f);
      guest_run(f.work);
      guest_run(f.work);
   }
   guest_return(&f, &g);
   guest_switch(1, sp);
   guest_return(&f, &root);
   check_runs(&root);
   check_arc(&root, &f, 1, ENTRY + 10 * WORK + LEAVE);
   check_arc(&g, &f, 1, ENTRY + 20 * WORK + LEAVE);
   CHECK(!at(&f, 2));
   CHECK_EQ(self(&f), 2 * (ENTRY + LEAVE) + 30 * WORK);
   check_all();
}

/* Only a switch to another thread is one. */
static void test_switch(void)
{
   CHECK(cg2_threads_switch(1));
   CHECK(!cg2_threads_switch(1));
   CHECK(cg2_threads_switch(500));
   CHECK(!cg2_threads_switch(500));
   CHECK(cg2_threads_switch(1));
}

/* Between a call and the callee's first block, which is translated or not,
 * another thread runs. */
static void switch_in_call(Bool is_late)
{
   begin();
   if (is_late) guest_discard(f.entry);
   guest_run(root.call);
   guest_head_for(f.entry->address);
   CHECK_EQ(cg2_function_active(f.function), is_late ? 0 : 1);
   guest_switch(2, 2 * STACK);
   guest_run(g.entry);
   CHECK_EQ(cg2_function_active(f.function), 0);
   guest_call(&g, &f);
   /* The block was translated for the other thread. */
   guest_switch(1, STACK - WORD);
   CHECK_EQ(cg2_function_active(f.function), 1);
   guest_run(f.entry);
   guest_run(f.leave);
   guest_head_for(root.back->address);
   guest_switch(2, 2 * STACK - WORD);
   guest_return(&f, &g);
   guest_switch(1, STACK);
   guest_run(root.back);
   check_runs(&root);
   check_arc(&root, &f, 1, ENTRY + LEAVE);
   check_arc(&g, &f, 1, ENTRY + LEAVE);
   check_all();
}

static void test_switch_in_call(void)
{
   switch_in_call(False);
}

static void test_switch_in_late_call(void)
{
   switch_in_call(True);
}

/* A thread's frames are left when it ends, and its costs stay; a new one of the
 * same number begins with nothing. */
static void test_end(void)
{
   begin();
   Long before = 0;
   for (UInt i = 0; i < 3; i++) {
      guest_switch(2, 2 * STACK);
      guest_run(g.entry);
      CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 1);
      guest_call(&g, &f);
      cg2_threads_end(2);
      CHECK_EQ(cg2_function_active(f.function), 0);
      guest_switch(1, STACK);
      check_runs(&root);
      if (i == 0)
         before = host.n_allocated;
      else
         CHECK_EQ(host.n_allocated, before);
   }
   check_arc(&g, &f, 3, 3 * ENTRY);
   CHECK_EQ(guest_total(), ENTRY + 3 * (ENTRY + CALL + ENTRY));
   cg2_threads_end(77);
   check_all();
}

/* A thread can end while another runs, also with open handlers. */
static void test_end_of_other(void)
{
   begin();
   guest_switch(2, 2 * STACK);
   guest_run(g.entry);
   guest_call(&g, &f);
   guest_interrupt(guest.sp - 0x200, 0, 0);
   guest_run(handler.entry);
   guest_switch(1, STACK);
   guest_call(&root, &f);
   cg2_threads_end(2);
   CHECK_EQ(cg2_function_active(f.function), 1);
   check_runs(&f);
   guest_return(&f, &root);
   check_arc(&g, &f, 1, ENTRY);
   CHECK_EQ(self(&handler), ENTRY);
   check_all();
}

/* What a thread has spent in a stub when it ends is its caller's. */
static void test_end_in_stub(void)
{
   begin();
   Block* stub = guest_stub(app, 2);
   guest_switch(2, 2 * STACK);
   guest_run(g.entry);
   guest_run(g.call);
   guest_run(stub);
   guest_head_for(NOWHERE);
   cg2_threads_end(2);
   guest_switch(1, STACK);
   CHECK_EQ(self(&g), ENTRY + CALL + 2);
   check_all();
}

static void test_many_threads(void)
{
   enum { N = 200 };
   begin();
   for (UInt round = 0; round < 5; round++)
      for (UInt tid = 2; tid < N; tid++) {
         guest_switch(tid, tid * STACK - round * WORD);
         if (round == 0) guest_run(f.entry);
         guest_call(&f, &f);
      }
   CHECK_EQ(cg2_function_active(f.function), 6);
   for (UInt tid = 2; tid < N; tid++)
      cg2_threads_end(tid);
   guest_switch(1, STACK);
   CHECK_EQ(cg2_function_active(f.function), 0);
   CHECK_EQ(guest_calls(at(&f, 1), at(&f, 2)), N - 2);
   CHECK_EQ(guest_calls(at(&f, 2), at(&f, 2)), 4 * (N - 2));
   check_all();
}

/*--- Signals ------------------------------------------------------------*/

/* A signal arrives; the handler will run with its return address at sp. */
static void interrupt_at(Addr sp, Addr alt)
{
   guest_interrupt(sp, alt, alt ? alt + ALT_BYTES : 0);
}

static void interrupt(void)
{
   interrupt_at(guest.sp - 0x200, 0);
}

/* The handler returns, to code that resumes what was interrupted. */
static void handler_returns(Addr sp)
{
   guest_run(handler.leave);
   guest_run(restorer.entry);
   guest_resume(sp);
}

/* Two signals in f. Handlers are roots; what they cost is the thread's, but
 * none of f's. */
static void test_handler(void)
{
   begin();
   guest_call(&root, &f);
   Addr sp = guest.sp;
   for (UInt i = 0; i < 2; i++) {
      interrupt();
      guest_run(handler.entry);
      check_runs(&handler);
      guest_call(&handler, &g);
      guest_return(&g, &handler);
      check_all();
      handler_returns(sp);
      check_runs(&f);
      guest_run(f.work);
   }
   guest_return(&f, &root);
   check_runs(&root);
   check_arc(&root, &f, 1, ENTRY + 2 * WORK + LEAVE);
   check_arc(&handler, &g, 2, 2 * (ENTRY + LEAVE));
   CHECK_EQ(self(&handler), 2 * (ENTRY + CALL + BACK + LEAVE));
   CHECK_EQ(self(&restorer), 2 * ENTRY);
   CHECK_EQ(guest_calls(at(&f, 1), at(&handler, 1)), 0);
   CHECK_EQ(cg2_graph_root(at(&handler, 1))->count, 2);
   CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 1);
   check_all();
}

static void test_handler_on_own_stack(void)
{
   static const Addr stacks[] = {ALT, HIGH_ALT};
   begin();
   guest_call(&root, &f);
   Addr sp = guest.sp;
   for (UInt i = 0; i < 2; i++) {
      interrupt_at(stacks[i] + ALT_BYTES - 0x200, stacks[i]);
      guest_run(handler.entry);
      guest_call(&handler, &g);
      guest_return(&g, &handler);
      check_runs(&handler);
      handler_returns(sp);
      check_runs(&f);
   }
   guest_return(&f, &root);
   check_arc(&root, &f, 1, ENTRY + LEAVE);
   check_arc(&handler, &g, 2, 2 * (ENTRY + LEAVE));
   check_all();
}

/* A function that is interrupted and called by the handler recurses. */
static void test_recursion_in_handler(void)
{
   begin();
   guest_call(&root, &f);
   Addr sp = guest.sp;
   interrupt();
   guest_run(handler.entry);
   guest_call(&handler, &f);
   CHECK(cg2_thread_context() == at(&f, 2));
   guest_return(&f, &handler);
   handler_returns(sp);
   CHECK(cg2_thread_context() == at(&f, 1));
   CHECK_EQ(guest_calls(at(&handler, 1), at(&f, 2)), 1);
   CHECK_EQ(self(&f), ENTRY);
   check_all();
}

/* A signal between a call and the callee, and one between a return and the
 * caller: both arrive all the same, once. */
static void handler_in_call(Bool is_late)
{
   begin();
   if (is_late) guest_discard(f.entry);
   guest_run(root.call);
   guest_head_for(f.entry->address);
   interrupt();
   guest_run(handler.entry);
   CHECK_EQ(cg2_function_active(f.function), is_late ? 0 : 1);
   handler_returns(STACK - WORD);
   guest_run(f.entry);
   check_runs(&f);
   guest_run(f.leave);
   guest_head_for(root.back->address);
   interrupt();
   guest_run(handler.entry);
   handler_returns(STACK);
   guest_run(root.back);
   check_runs(&root);
   check_arc(&root, &f, 1, ENTRY + LEAVE);
   CHECK_EQ(self(&handler), 2 * (ENTRY + LEAVE));
   check_all();
}

static void test_handler_in_call(void)
{
   handler_in_call(False);
}

static void test_handler_in_late_call(void)
{
   handler_in_call(True);
}

/* A signal between a stub and the function behind it. */
static void handler_behind_stub(Bool is_late)
{
   begin();
   Block* stub = guest_stub(app, 2);
   if (is_late) guest_discard(f.entry);
   guest_run(root.call);
   guest_run(stub);
   guest_head_for(f.entry->address);
   interrupt();
   guest_run(handler.entry);
   guest_run(handler.call);
   guest_run(stub);
   guest_run(g.entry);
   guest_return(&g, &handler);
   handler_returns(STACK - WORD);
   guest_run(f.entry);
   check_runs(&f);
   guest_return(&f, &root);
   check_arc(&root, &f, 1, ENTRY + LEAVE);
   CHECK_EQ(guest_skipped(at(&root, 1), at(&f, 1)), 2);
   CHECK_EQ(guest_skipped(at(&handler, 1), at(&g, 1)), 2);
   CHECK(!f.function->is_resolver && !g.function->is_resolver);
   check_all();
}

static void test_handler_behind_stub(void)
{
   handler_behind_stub(False);
}

static void test_handler_behind_late_stub(void)
{
   handler_behind_stub(True);
}

/* A signal in a handler. */
static void test_nested_handlers(void)
{
   begin();
   guest_call(&root, &f);
   Addr in_f = guest.sp;
   interrupt();
   guest_run(handler.entry);
   Addr in_handler = guest.sp;
   interrupt();
   guest_run(handler.entry);
   CHECK(cg2_thread_context() == at(&handler, 2));
   check_all();
   handler_returns(in_handler);
   CHECK(cg2_thread_context() == at(&handler, 1));
   guest_run(handler.work);
   handler_returns(in_f);
   check_runs(&f);
   guest_return(&f, &root);
   check_arc(&root, &f, 1, ENTRY + LEAVE);
   CHECK_EQ(guest_self(at(&handler, 2)), ENTRY + LEAVE);
   CHECK_EQ(self(&handler), ENTRY + WORK + LEAVE);
   check_all();
}

/* A signal before the thread's first block. */
static void test_handler_first(void)
{
   begin();
   guest_switch(2, 2 * STACK);
   interrupt();
   guest_run(handler.entry);
   handler_returns(2 * STACK);
   guest_run(g.entry);
   check_runs(&g);
   guest_call(&g, &f);
   guest_return(&f, &g);
   check_runs(&g);
   check_all();
}

/* The kernel says that a handler has returned when there was none. */
static void test_stray_resume(void)
{
   begin();
   cg2_handlers_return();
   check_runs(&root);
   guest_run(root.work);
   check_all();
}

/* The function of the handler is reached by a stub: a program that is loaded at
 * a fixed address knows library functions by their stubs. */
static void test_handler_by_stub(void)
{
   begin();
   Block* stub = guest_stub(app, 2);
   guest_discard(handler.entry);
   interrupt();
   guest_run(stub);
   guest_head_for(handler.entry->address);
   CHECK(!guest_sum_fault());
   guest_run(handler.entry);
   check_runs(&handler);
   CHECK(!guest_sum_fault());
   handler_returns(STACK);
   guest_run(root.work);
   check_runs(&root);
   CHECK(!guest_fault());
   CHECK(!guest_sum_fault());
}

/* The same, and the program ends there. */
static void test_end_in_handler_by_stub(void)
{
   begin();
   Block* stub = guest_stub(app, 2);
   interrupt();
   guest_run(stub);
   guest_run(handler.entry);
   cg2_threads_end(1);
   check_all();
}

/* The program ends in a handler that interrupted a call through a stub. What
 * the stub cost may be lost, but not for one sum only. */
static void test_end_in_handler_behind_stub(void)
{
   begin();
   Block* stub = guest_stub(app, 2);
   guest_discard(f.entry);
   guest_run(root.call);
   guest_run(stub);
   guest_head_for(f.entry->address);
   interrupt();
   guest_run(handler.entry);
   CHECK(!guest_sum_fault());
   cg2_threads_end(1);
   CHECK(!guest_sum_fault());
   CHECK_EQ(self(&handler), ENTRY);
}

/* A signal behind the stub by which a handler begins: nobody called there. The
 * handler that comes first pays for the stub. */
static void test_handler_behind_stub_of_handler(void)
{
   begin();
   Block* stub = guest_stub(app, 2);
   guest_call(&root, &f);
   Addr sp = guest.sp;
   guest_discard(handler.entry);
   interrupt();
   guest_run(stub);
   Addr in_stub = guest.sp;
   guest_head_for(handler.entry->address);
   interrupt();
   guest_run(g.entry);
   check_all();
   guest_run(g.leave);
   guest_run(restorer.entry);
   guest_resume(in_stub);
   guest_run(handler.entry);
   check_runs(&handler);
   check_all();
   handler_returns(sp);
   guest_return(&f, &root);
   check_arc(&root, &f, 1, ENTRY + LEAVE);
   CHECK_EQ(self(&g), 2 + ENTRY + LEAVE);
   CHECK_EQ(self(&handler), ENTRY + LEAVE);
   CHECK_EQ(cg2_threads_sums(0).n_skips, 1);
   check_all();
}

/* Where the last call or return went before the signal does not matter to the
 * handler, even if it begins just behind the interrupted call. */
static void test_handler_behind_call(void)
{
   begin();
   guest_call(&root, &f);
   guest_call(&f, &g);
   guest_run(g.leave);
   guest_head_for(f.back->address);
   interrupt();
   guest_run(f.back);
   CHECK(cg2_thread_context() == at(&f, 2));
   CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 3);
   check_all();
}

/*--- siglongjmp ---------------------------------------------------------*/

/* root -> f -> g, a signal, handler -> g; from there to f, which goes on. */
static void leave_handler(Addr handler_sp, Addr alt)
{
   guest_call(&root, &f);
   Addr in_f = guest.sp;
   guest_call(&f, &g);
   interrupt_at(handler_sp, alt);
   guest_run(handler.entry);
   guest_call(&handler, &g);
   guest.sp = in_f;
   guest_run(g.jump);
   guest_run(f.work);
   CHECK(cg2_thread_context() == at(&f, 1));
   CHECK_EQ(cg2_now.n_interrupted, 0);
   CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 2);
   guest_return(&f, &root);
   check_runs(&root);
}

static void check_left_handlers(UInt n)
{
   check_arc(&f, &g, n, n * ENTRY);
   check_arc(&root, &f, n, n * (ENTRY + CALL + ENTRY + WORK + LEAVE));
   CHECK_EQ(guest_calls(at(&handler, 1), at(&g, 2)), n);
   CHECK_EQ(guest_inclusive(at(&handler, 1), at(&g, 2)), n * (ENTRY + 1));
   check_all();
}

static void test_siglongjmp(void)
{
   begin();
   leave_handler(STACK - 0x400, 0);
   leave_handler(STACK - 0x400, 0);
   check_left_handlers(2);
}

static void test_siglongjmp_from_own_stack(void)
{
   begin();
   leave_handler(ALT + 0x4000, ALT);
   leave_handler(HIGH_ALT + 0x4000, HIGH_ALT);
   check_left_handlers(2);
}

/* Out of a handler into the one that it interrupted, and out of that. */
static void test_siglongjmp_by_steps(void)
{
   begin();
   interrupt();
   guest_run(handler.entry);
   Addr in_handler = guest.sp;
   interrupt();
   guest_run(g.entry);
   guest.sp = in_handler;
   guest_run(g.jump);
   guest_run(handler.work);
   CHECK(cg2_thread_context() == at(&handler, 1));
   CHECK_EQ(cg2_now.n_interrupted, 1);
   guest.sp = STACK;
   guest_run(handler.jump);
   guest_run(root.work);
   check_runs(&root);
   CHECK_EQ(cg2_now.n_interrupted, 0);
   check_all();
}

/* Out of two handlers at once. The inner one came while the outer one's own
 * stack was in use, and went on there. */
static void leave_two_handlers(Addr alt)
{
   guest_call(&root, &f);
   Addr in_f = guest.sp;
   interrupt_at(alt ? alt + 0x4000 : guest.sp - 0x200, alt);
   guest_run(handler.entry);
   interrupt();
   guest_run(g.entry);
   guest.sp = in_f;
   guest_run(g.jump);
   guest_run(f.work);
   CHECK_EQ(cg2_now.n_interrupted, 0);
   check_runs(&f);
   guest_return(&f, &root);
   check_runs(&root);
   check_all();
}

static void test_siglongjmp_out_of_two(void)
{
   begin();
   leave_two_handlers(0);
   leave_two_handlers(ALT);
   leave_two_handlers(HIGH_ALT);
   check_arc(&root, &f, 3, 3 * (ENTRY + WORK + LEAVE));
}

/* A signal when siglongjmp has left a handler, and the function where it lands
 * has not gone on yet. */
static void interrupt_siglongjmp(Addr alt)
{
   guest_call(&root, &f);
   Addr in_f = guest.sp;
   interrupt_at(alt + 0x4000, alt);
   guest_run(handler.entry);
   guest_discard(f.work);
   guest.sp = in_f;
   guest_run(handler.jump);
   guest_head_for(f.work->address);
   interrupt();
   guest_run(g.entry);
   guest_call(&g, &root);
   guest_run(root.jump);
   guest_run(handler.entry);
   guest_return(&handler, &g);
   check_runs(&g);
   guest_run(g.leave);
   guest_run(restorer.entry);
   guest_resume(in_f);
   guest_run(f.work);
   check_runs(&f);
   CHECK_EQ(cg2_now.n_interrupted, 0);
   guest_return(&f, &root);
   check_runs(&root);
   check_all();
}

static void test_handler_behind_siglongjmp(void)
{
   begin();
   interrupt_siglongjmp(ALT);
   interrupt_siglongjmp(HIGH_ALT);
   check_arc(&root, &f, 2, 2 * (ENTRY + WORK + LEAVE));
   CHECK_EQ(guest_calls(at(&g, 1), at(&root, 2)), 2);
}

/* A call is interrupted behind its stub and never arrives: its stub's cost is
 * the caller's all the same. */
static void test_siglongjmp_behind_stub(void)
{
   begin();
   Block* stub = guest_stub(app, 2);
   guest_discard(f.entry);
   guest_run(root.call);
   guest_run(stub);
   guest_head_for(f.entry->address);
   interrupt();
   guest_run(handler.entry);
   guest.sp = STACK;
   guest_run(handler.jump);
   guest_run(root.work);
   check_runs(&root);
   CHECK_EQ(self(&root), ENTRY + CALL + 2 + WORK);
   check_all();
}

/* A handler leaves by starting a function elsewhere, as a scheduler of
 * coroutines does: by a jump, or by a return. */
static void start_elsewhere(Block* last, Addr sp)
{
   guest_call(&root, &f);
   interrupt();
   guest_run(handler.entry);
   guest.sp = sp;
   guest_run(last);
   guest_run(g.entry);
   check_runs(&g);
   guest_run(g.work);
   check_all();
}

static void test_handler_starts_by_jump(void)
{
   begin();
   start_elsewhere(handler.jump, STACK + 0x8000);
}

static void test_handler_starts_by_return(void)
{
   begin();
   start_elsewhere(handler.leave, STACK + 0x8000);
}

/* On the interrupted stack itself, above what was interrupted: the frames below
 * go on. */
static void test_handler_starts_in_place(void)
{
   begin();
   start_elsewhere(handler.jump, STACK - WORD);
}

/*--- Costs of open calls ------------------------------------------------*/

/* What open calls cost is put down as often as one asks, and once. */
static void test_flush(void)
{
   begin();
   guest_call(&root, &f);
   guest_call(&f, &g);
   check_arc(&root, &f, 1, 0);
   for (UInt i = 0; i < 3; i++) {
      cg2_threads_flush();
      check_arc(&root, &f, 1, ENTRY + CALL + ENTRY + i * WORK);
      check_arc(&f, &g, 1, ENTRY + i * WORK);
      cg2_threads_flush();
      check_arc(&f, &g, 1, ENTRY + i * WORK);
      guest_run(g.work);
   }
   guest_return(&g, &f);
   guest_return(&f, &root);
   ULong in_g = ENTRY + 3 * WORK + LEAVE;
   check_arc(&f, &g, 1, in_g);
   check_arc(&root, &f, 1, ENTRY + CALL + in_g + BACK + LEAVE);
   check_all();
}

/* Also with a handler on top, whose cost is none of the calls' below. */
static void test_flush_in_handler(void)
{
   begin();
   guest_call(&root, &f);
   Addr sp = guest.sp;
   interrupt();
   guest_run(handler.entry);
   guest_call(&handler, &g);
   cg2_threads_flush();
   check_arc(&root, &f, 1, ENTRY);
   check_arc(&handler, &g, 1, ENTRY);
   guest_return(&g, &handler);
   handler_returns(sp);
   cg2_threads_flush();
   check_arc(&root, &f, 1, ENTRY);
   guest_return(&f, &root);
   check_arc(&root, &f, 1, ENTRY + LEAVE);
   check_arc(&handler, &g, 1, ENTRY + LEAVE);
   check_all();
}

/* And of threads that do not run. */
static void test_flush_of_others(void)
{
   begin();
   guest_call(&root, &f);
   guest_switch(2, 2 * STACK);
   guest_run(g.entry);
   cg2_threads_flush();
   check_arc(&root, &f, 1, ENTRY);
   check_all();
}

/*--- Fork ---------------------------------------------------------------*/

/* In the child only the thread that forked goes on, all counts begin at zero,
 * and its open calls count as called. */
static void test_fork(void)
{
   begin();
   for (UInt i = 0; i < 10; i++) {
      guest_call(&root, &f);
      guest_return(&f, &root);
   }
   guest_switch(2, 2 * STACK);
   guest_run(handler.entry);
   guest_call(&handler, &f);
   guest_switch(3, 3 * STACK);
   guest_run(g.entry);
   guest_switch(2, 2 * STACK - WORD);
   cg2_threads_forked(2);
   guest.executed = guest.blocks = 0;
   CHECK_EQ(cg2_function_active(f.function), 1);
   check_arc(&root, &f, 0, 0);
   check_arc(&handler, &f, 1, 0);
   CHECK_EQ(guest_total(), 0);
   guest_run(f.work);
   guest_return(&f, &handler);
   check_runs(&handler);
   check_arc(&handler, &f, 1, WORK + LEAVE);
   CHECK_EQ(self(&handler), BACK);
   guest_switch(1, STACK);
   guest_run(root.entry);
   check_runs(&root);
   CHECK_EQ(cg2_stack_depth(&cg2_now.stack), 1);
   check_all();
}

/* A handler forks. */
static void test_fork_in_handler(void)
{
   begin();
   guest_call(&root, &f);
   Addr sp = guest.sp;
   interrupt();
   guest_run(handler.entry);
   cg2_threads_forked(1);
   guest.executed = guest.blocks = 0;
   guest_run(handler.work);
   handler_returns(sp);
   check_runs(&f);
   guest_run(f.work);
   check_all();
   guest_return(&f, &root);
   check_arc(&root, &f, 1, WORK + LEAVE);
   CHECK_EQ(self(&handler), WORK + LEAVE);
   check_all();
}

/* A handler forks that came between a stub and the function behind it: what the
 * stub cost was the parent's. */
static void test_fork_in_handler_behind_stub(void)
{
   begin();
   Block* stub = guest_stub(app, 2);
   guest_discard(f.entry);
   guest_run(root.call);
   guest_run(stub);
   guest_head_for(f.entry->address);
   interrupt();
   guest_run(handler.entry);
   cg2_threads_forked(1);
   guest.executed = guest.blocks = 0;
   check_all();
   handler_returns(STACK - WORD);
   guest_run(f.entry);
   CHECK_EQ(guest_skipped(at(&root, 1), at(&f, 1)), 0);
   check_all();
}

/*--- From zero ----------------------------------------------------------*/

/* Nothing is forgotten but counts: calls that are open, of all threads, count
 * as called once from now on. */
static void test_zero(void)
{
   begin();
   guest_call(&root, &f);
   guest_call(&f, &g);
   guest_return(&g, &f);
   Addr sp = guest.sp;
   guest_switch(2, 2 * STACK);
   guest_run(handler.entry);
   guest_call(&handler, &g);
   cg2_threads_zero(0);
   guest.executed = guest.blocks = 0;
   CHECK_EQ(guest_total(), 0);
   check_arc(&root, &f, 1, 0);
   check_arc(&f, &g, 0, 0);
   check_arc(&handler, &g, 1, 0);
   CHECK_EQ(self(&f) + self(&g) + self(&root) + self(&handler), 0);
   guest_run(g.work);
   guest_return(&g, &handler);
   check_all();
   guest_switch(1, sp);
   guest_call(&f, &g);
   guest_return(&g, &f);
   guest_return(&f, &root);
   check_arc(&handler, &g, 1, WORK + LEAVE);
   check_arc(&f, &g, 1, ENTRY + LEAVE);
   check_arc(&root, &f, 1, CALL + ENTRY + LEAVE + BACK + LEAVE);
   check_all();
}

static void test_zero_in_handler(void)
{
   begin();
   guest_call(&root, &f);
   Addr sp = guest.sp;
   interrupt();
   guest_run(handler.entry);
   cg2_threads_zero(0);
   guest.executed = guest.blocks = 0;
   guest_run(handler.work);
   handler_returns(sp);
   guest_run(f.work);
   guest_return(&f, &root);
   check_arc(&root, &f, 1, WORK + LEAVE);
   CHECK_EQ(self(&handler), WORK + LEAVE);
   check_all();
}

/*--- Collection ---------------------------------------------------------*/

/* `n` of the instructions that ran were not collected. */
static void check_all_but(ULong n)
{
   const char* fault = guest_fault();
   CHECK_TEXT(fault ? fault : "", "");
   fault = guest_sum_fault();
   CHECK_TEXT(fault ? fault : "", "");
   CHECK_EQ(guest_total(), guest.executed - n);
}

/* What runs while it is off is in no context that is shown, nor in the cost of
 * the calls around it. A call that was made meanwhile counts once it is on. */
static void test_collect(void)
{
   begin();
   guest_call(&root, &f);
   guest_run(f.work);
   cg2_collection_switch(False);
   cg2_collection_switch(False);
   guest_run(f.work);
   guest_call(&f, &g);
   check_runs(&g);
   check_all_but(WORK + CALL + ENTRY);
   check_arc(&root, &f, 1, ENTRY + WORK);
   CHECK(!at(&g, 1));
   cg2_collection_switch(True);
   guest_run(g.work);
   guest_return(&g, &f);
   guest_return(&f, &root);
   check_arc(&f, &g, 1, WORK + LEAVE);
   check_arc(&root, &f, 1, ENTRY + WORK + WORK + LEAVE + BACK + LEAVE);
   CHECK_EQ(self(&f), ENTRY + WORK + BACK + LEAVE);
   CHECK_EQ(self(&g), WORK + LEAVE);
   check_all_but(WORK + CALL + ENTRY);
}

/* Calls that begin and end while it is off are none; one that is open all the
 * time counts once, however often it is switched. */
static void test_collect_often(void)
{
   begin();
   guest_call(&root, &f);
   for (UInt i = 0; i < 10; i++) {
      cg2_collection_switch(False);
      guest_call(&f, &g);
      guest_return(&g, &f);
      cg2_collection_switch(True);
      guest_run(f.work);
   }
   guest_return(&f, &root);
   check_arc(&root, &f, 1, ENTRY + 10 * WORK + LEAVE);
   CHECK_EQ(guest_calls(at(&f, 1), at(&g, 1)), 0);
   check_all_but(10 * (CALL + ENTRY + LEAVE + BACK));
}

/* Recursion levels are the same, on or off. */
static void test_collect_recursion(void)
{
   begin();
   guest_call(&root, &f);
   cg2_collection_switch(False);
   guest_call(&f, &f);
   CHECK_EQ(cg2_function_active(f.function), 2);
   cg2_collection_switch(True);
   guest_run(f.work);
   CHECK_EQ(guest_self(at(&f, 2)), WORK);
   CHECK_EQ(guest_calls(at(&f, 1), at(&f, 2)), 1);
   guest_return(&f, &f);
   guest_return(&f, &root);
   check_all_but(CALL + ENTRY);
}

/* Each thread has its own switch, and begins as it is configured. */
static void test_collect_of_others(void)
{
   begin();
   cg2_collection_switch(False);
   guest_switch(2, 2 * STACK);
   guest_run(g.entry);
   check_all_but(0);
   guest_switch(1, STACK);
   guest_run(root.work);
   check_all_but(WORK);
   cg2_engine_config.starts_off = True;
   guest_switch(3, 3 * STACK);
   guest_run(f.entry);
   check_all_but(WORK + ENTRY);
   CHECK(!at(&f, 1));
   cg2_collection_switch(True);
   guest_run(f.work);
   CHECK_EQ(self(&f), WORK);
   cg2_threads_end(3);
   guest_switch(1, STACK);
   check_all_but(WORK + ENTRY);
}

/* In a handler: what it interrupted is switched, too, and goes on so. */
static void test_collect_in_handler(void)
{
   begin();
   guest_call(&root, &f);
   Addr sp = guest.sp;
   interrupt();
   guest_run(handler.entry);
   cg2_collection_switch(False);
   guest_run(handler.work);
   handler_returns(sp);
   check_runs(&f);
   guest_run(f.work);
   check_all_but(WORK + LEAVE + ENTRY + WORK);
   sp = guest.sp;
   interrupt();
   guest_run(handler.entry);
   cg2_collection_switch(True);
   guest_run(handler.work);
   handler_returns(sp);
   guest_run(f.work);
   guest_return(&f, &root);
   check_arc(&root, &f, 1, ENTRY + WORK + LEAVE);
   CHECK_EQ(self(&handler), ENTRY + WORK + LEAVE);
   check_all_but(WORK + LEAVE + ENTRY + WORK + ENTRY);
}

/* Collection is switched behind a stub, whose cost was before. */
static void test_collect_behind_stub(void)
{
   begin();
   Block* stub = guest_stub(app, 2);
   cg2_collection_switch(False);
   for (UInt i = 0; i < 2; i++) {
      guest_discard(f.entry);
      guest_run(root.call);
      guest_run(stub);
      guest_head_for(f.entry->address);
      cg2_collection_switch(i == 0);
      guest_run(f.entry);
      guest_return(&f, &root);
   }
   check_arc(&root, &f, 1, ENTRY + LEAVE);
   CHECK_EQ(guest_skipped(at(&root, 1), at(&f, 1)), 0);
   CHECK_EQ(guest_skipped(at(&root, 1), NULL), 2);
   CHECK_EQ(self(&root), ENTRY + BACK + CALL + 2);
   check_all_but(CALL + 2 + ENTRY + LEAVE + BACK);
}

/* A part begins while it is off: no open call counts, until it is on. */
static void test_collect_from_zero(void)
{
   begin();
   guest_call(&root, &f);
   cg2_collection_switch(False);
   cg2_threads_zero(0);
   guest.executed = guest.blocks = 0;
   guest_run(f.work);
   check_arc(&root, &f, 0, 0);
   check_all_but(WORK);
   cg2_collection_switch(True);
   guest_return(&f, &root);
   check_arc(&root, &f, 1, LEAVE);
   CHECK_EQ(cg2_graph_root(at(&root, 1))->count, 1);
   check_all_but(WORK);
}

/*--- Watched functions --------------------------------------------------*/

static UInt n_entered, n_left;
static Function* watched;

static void count_entered(const Function* function, const Exit* exit)
{
   (void)exit;
   CHECK(function == watched);
   CHECK_EQ(cg2_function_active(function), 0);
   n_entered++;
}

static void count_left(const Function* function)
{
   CHECK(function == watched);
   CHECK_EQ(cg2_function_active(function), 0);
   n_left++;
}

static void watch_f(void)
{
   cg2_rules_add(RULE_DUMP_BEFORE, "f", 0, "");
   cg2_engine_config.left = count_left;
   cg2_engine_config.entering = count_entered;
   begin();
   watched = f.function;
}

static void check_watched(UInt entered, UInt left)
{
   CHECK_EQ(n_entered, entered);
   CHECK_EQ(n_left, left);
}

/* Each outermost call, also one that was made before in the same way. */
static void test_watched(void)
{
   watch_f();
   for (UInt i = 1; i <= 5; i++) {
      guest_call(&root, &f);
      check_watched(i, i - 1);
      guest_call(&f, &g);
      guest_call(&g, &f);
      guest_call(&f, &f);
      guest_return(&f, &f);
      guest_return(&f, &g);
      guest_return(&g, &f);
      check_watched(i, i - 1);
      guest_return(&f, &root);
      check_watched(i, i);
   }
   check_arc(&root, &f, 5, guest_inclusive(at(&root, 1), at(&f, 1)));
   check_all();
}

/* Left by longjmp, out of a handler, and by the end of its thread; as a handler
 * and as a thread's start. */
static void test_watched_otherwise(void)
{
   watch_f();
   guest_call(&root, &f);
   guest_call(&f, &g);
   guest.sp = STACK;
   guest_run(g.jump);
   guest_run(root.work);
   check_watched(1, 1);
   interrupt();
   guest_run(f.entry);
   check_watched(2, 1);
   guest_run(f.leave);
   guest_run(restorer.entry);
   check_watched(2, 2);
   guest_resume(STACK);
   guest_switch(2, 2 * STACK);
   guest_run(f.entry);
   check_watched(3, 2);
   guest_switch(1, STACK);
   guest_call(&root, &f);
   check_watched(4, 2);
   guest_switch(2, 2 * STACK);
   cg2_threads_end(2);
   check_watched(4, 3);
   guest_switch(1, STACK - WORD);
   guest_return(&f, &root);
   check_watched(4, 4);
   check_all();
}

/*--- What a translation asks --------------------------------------------*/

/* What was left to blocks that are not translated yet. */
static void test_expect(void)
{
   begin();
   CHECK(cg2_thread_expect() == at(&root, 1));
   guest_discard(f.entry);
   guest_discard(root.work);
   guest_run(root.call);
   guest_head_for(f.entry->address);
   CHECK(!cg2_thread_expect());
   guest_run(f.entry);
   CHECK(cg2_thread_expect() == at(&f, 1));
   guest_run(f.leave);
   guest_head_for(root.work->address);
   CHECK(cg2_thread_expect() == at(&root, 1));
   guest_run(root.work);
   guest_call(&root, &f);
   guest_call(&f, &g);
   guest_discard(root.work);
   guest.sp = STACK;
   guest_run(g.jump);
   guest_head_for(root.work->address);
   CHECK(cg2_thread_expect() == at(&root, 1));
   CHECK(cg2_thread_context() == at(&g, 1));
   interrupt();
   CHECK(!cg2_thread_expect());
}

/* Behind a stub it is a call that is expected, also by a jump. */
static void test_expect_behind_stub(void)
{
   begin();
   Block* stub = guest_stub(app, 2);
   guest_call(&root, &f);
   guest_run(f.jump);
   guest_run(stub);
   CHECK(cg2_thread_expect() == at(&f, 1));
   guest_head_for(NOWHERE);
   CHECK(!cg2_thread_expect());
}

/* An exit whose target was reached is no longer the last one. */
static void test_last_exit(void)
{
   begin();
   CHECK_EQ(cg2_thread_last_exit()->kind, EXIT_NONE);
   guest_discard(f.entry);
   guest_run(root.call);
   guest_head_for(f.entry->address);
   CHECK(cg2_thread_last_exit() == guest_exit(root.call));
   guest_run(f.entry);
   CHECK_EQ(cg2_thread_last_exit()->kind, EXIT_NONE);
   guest_run(f.jump);
   guest_head_for(NOWHERE);
   CHECK(cg2_thread_last_exit() == guest_exit(f.jump));
   interrupt();
   CHECK_EQ(cg2_thread_last_exit()->kind, EXIT_START);
   guest_switch(2, 2 * STACK);
   CHECK_EQ(cg2_thread_last_exit()->kind, EXIT_START);
}

static void test_sp(void)
{
   begin();
   host.sp = 0x1234;
   CHECK_EQ(cg2_thread_sp(), 0x1234);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"two_threads", test_two_threads},
      {"switch", test_switch},
      {"switch_in_call", test_switch_in_call},
      {"switch_in_late_call", test_switch_in_late_call},
      {"end", test_end},
      {"end_of_other", test_end_of_other},
      {"end_in_stub", test_end_in_stub},
      {"many_threads", test_many_threads},
      {"handler", test_handler},
      {"handler_on_own_stack", test_handler_on_own_stack},
      {"recursion_in_handler", test_recursion_in_handler},
      {"handler_in_call", test_handler_in_call},
      {"handler_in_late_call", test_handler_in_late_call},
      {"handler_behind_stub", test_handler_behind_stub},
      {"handler_behind_late_stub", test_handler_behind_late_stub},
      {"nested_handlers", test_nested_handlers},
      {"handler_first", test_handler_first},
      {"stray_resume", test_stray_resume},
      {"handler_by_stub", test_handler_by_stub},
      {"end_in_handler_by_stub", test_end_in_handler_by_stub},
      {"end_in_handler_behind_stub", test_end_in_handler_behind_stub},
      {"handler_behind_stub_of_handler", test_handler_behind_stub_of_handler},
      {"handler_behind_call", test_handler_behind_call},
      {"siglongjmp", test_siglongjmp},
      {"siglongjmp_from_own_stack", test_siglongjmp_from_own_stack},
      {"siglongjmp_by_steps", test_siglongjmp_by_steps},
      {"siglongjmp_out_of_two", test_siglongjmp_out_of_two},
      {"handler_behind_siglongjmp", test_handler_behind_siglongjmp},
      {"siglongjmp_behind_stub", test_siglongjmp_behind_stub},
      {"handler_starts_by_jump", test_handler_starts_by_jump},
      {"handler_starts_by_return", test_handler_starts_by_return},
      {"handler_starts_in_place", test_handler_starts_in_place},
      {"flush", test_flush},
      {"flush_in_handler", test_flush_in_handler},
      {"flush_of_others", test_flush_of_others},
      {"fork", test_fork},
      {"fork_in_handler", test_fork_in_handler},
      {"fork_in_handler_behind_stub", test_fork_in_handler_behind_stub},
      {"zero", test_zero},
      {"zero_in_handler", test_zero_in_handler},
      {"collect", test_collect},
      {"collect_often", test_collect_often},
      {"collect_recursion", test_collect_recursion},
      {"collect_of_others", test_collect_of_others},
      {"collect_in_handler", test_collect_in_handler},
      {"collect_behind_stub", test_collect_behind_stub},
      {"collect_from_zero", test_collect_from_zero},
      {"watched", test_watched},
      {"watched_otherwise", test_watched_otherwise},
      {"expect", test_expect},
      {"expect_behind_stub", test_expect_behind_stub},
      {"last_exit", test_last_exit},
      {"sp", test_sp},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
