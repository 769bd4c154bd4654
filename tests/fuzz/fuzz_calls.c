/* Whatever control does, the shadow stack stays whole and cells are those of
 * the block that runs: the classifier and all that stands on it, fed with
 * blocks, stack pointers, signals and threads that no program could produce.
 *
 * Each step takes three bytes: what happens, which block or thread, and where
 * the stack pointer goes. */
#include "engine/threads.h"
#include "guest.h"

#include <stdio.h>
#include <stdlib.h>

enum {
   N_ROUTINES = 3,
   N_PARTS = 11, /* of each */
   STACK = 0x8000,
   THREADS = 3,
   DEPTH_MAX = 4096,
};

static Block* parts[N_ROUTINES][N_PARTS];
static Block* stubs[2];
static UInt growth; /* blocks that were added */

static void fail(const char* what)
{
   fprintf(stderr, "%s\n", what);
   abort();
}

/*--- The program --------------------------------------------------------*/

static void make_routine(UInt i, Object* object)
{
   HChar name[] = {'f', '0' + i, '\0'};
   cg2_rules.standard.recursion_levels = 1 + i % 3;
   Routine r = guest_routine(object, name);
   Block* all[N_PARTS] = {r.entry,
                          r.call,
                          r.back,
                          r.work,
                          r.jump,
                          r.leave,
                          guest_block_unnamed(r.function, 2, EXIT_NONE),
                          guest_block_unnamed(r.function, 2, EXIT_RETURN),
                          guest_block_unnamed(r.function, 2, EXIT_JUMP),
                          guest_block_guarded(r.function, 2, EXIT_JUMP),
                          guest_block_guarded(r.function, 2, EXIT_RETURN)};
   for (UInt part = 0; part < N_PARTS; part++)
      parts[i][part] = all[part];
}

/* Exits that always lead to one place. */
static void fix_exits(void)
{
   enum { CALL = 1, JUMP = 4, UNNAMED_JUMP = 8 };
   guest_fix(parts[0][CALL], parts[2][0]);
   guest_fix(parts[2][CALL], parts[2][6]);
   guest_fix(parts[2][JUMP], parts[0][0]);
   guest_fix(parts[0][UNNAMED_JUMP], stubs[0]);
   guest_fix(parts[1][CALL], stubs[1]);
}

static void make_program(void)
{
   guest_add_events();
   guest.runs_on = True;
   Object* app = guest_object("app");
   Object* library = guest_object("library");
   for (UInt i = 0; i < N_ROUTINES; i++)
      make_routine(i, i % 2 ? library : app);
   for (UInt i = 0; i < 2; i++)
      stubs[i] = guest_stub(app, 2);
   fix_exits();
}

/*--- Steps --------------------------------------------------------------*/

enum { N_BLOCKS = N_ROUTINES * N_PARTS };

static Block* block_of_number(UInt i)
{
   return i < N_BLOCKS ? parts[i % N_ROUTINES][i / N_ROUTINES]
                       : stubs[i - N_BLOCKS];
}

static Block* choose_block(UInt byte)
{
   return block_of_number(byte % (N_BLOCKS + 2));
}

static Block* block_at(Addr address)
{
   for (UInt i = 0; i < N_BLOCKS + 2; i++)
      if (block_of_number(i)->address == address) return block_of_number(i);
   return NULL;
}

static void run(Block* block, UInt byte)
{
   if (!guest_can_arrive(block)) block = block_at(guest_target());
   if (!block || !guest_can_arrive(block)) return;
   if (block->n_segments == 2 && byte & 1)
      guest_run_side(block);
   else
      guest_run(block);
}

/* Sets where control goes next, so that anything else may come in between. */
static void head_for(UInt byte)
{
   Addr target = guest_target();
   if (!target) target = byte % 8 == 0 ? NOWHERE : choose_block(byte)->address;
   guest_head_for(target);
}

static void interrupt(UInt byte)
{
   if (cg2_now.n_interrupted > 5) return;
   Addr alt = byte & 1 ? (byte & 0xf0) * 0x100 : 0;
   head_for(byte);
   guest_interrupt(alt ? alt + 0x400 : guest.sp, alt, alt ? alt + 0x800 : 0);
}

/* A handler has at least begun when it ends. */
static void resume(UInt byte)
{
   head_for(byte);
   if (cg2_thread_context()) guest_resume(guest.sp);
}

static void switch_to(UInt byte)
{
   guest_switch(1 + byte % THREADS, STACK + (byte & 0xf0) * 0x10);
}

static void end_thread(UInt byte)
{
   guest_stop();
   cg2_threads_end(1 + byte % THREADS);
   switch_to(byte >> 2);
}

static void fork_now(void)
{
   guest_switch(1, STACK);
   cg2_threads_forked(1);
   guest.executed = guest.blocks = 0;
}

static void grow(UInt byte)
{
   if (growth == 30) return;
   growth++;
   Function* f = parts[byte % N_ROUTINES][0]->home;
   run(guest_block(f, 1, EXIT_NONE), 0);
}

static void check(const char* fault)
{
   if (fault) fail(fault);
   if (cg2_stack_depth(&cg2_now.stack) > DEPTH_MAX) fail("too deep");
}

/* CG2_TEST_TRACE=1 shows the steps of an input that failed. */
static void trace(UInt what, UInt which, UInt where)
{
   static Int wanted = -1;
   if (wanted < 0) wanted = getenv("CG2_TEST_TRACE") != NULL;
   if (!wanted) return;
   fprintf(stderr,
           "%u %u %u: sp %lx, depth %u, %u handlers, in %s, %s, next %lx\n",
           what % 32, which, where, guest.sp, cg2_stack_depth(&cg2_now.stack),
           cg2_now.n_interrupted,
           cg2_thread_context() ? cg2_thread_context()->name->text : "nothing",
           cg2_thread_has_arrived() ? "arrived" : "on its way", guest_target());
}

static void step_aside(UInt what, UInt which)
{
   head_for(which >> 1);
   switch (what) {
   case 0:
      interrupt(which);
      break;
   case 1:
      resume(which);
      break;
   case 2:
      switch_to(which);
      break;
   case 3:
      if (which % 16 == 0) end_thread(which >> 4);
      break;
   case 4:
      if (which % 32 == 0) fork_now();
      break;
   case 5:
      guest_move(guest.sp, block_of_number(which % N_BLOCKS)->address);
      break;
   default:
      break;
   }
}

static void step(UInt what, UInt which, UInt where)
{
   static const Int moves[] = {0, 0, 0, 1, -1, 2, -2, 4, -4, 16, -16, 512};
   trace(what, which, where);
   guest.sp += WORD * moves[where % (sizeof moves / sizeof *moves)];
   switch (what % 32) {
   case 7:
      guest_stop();
      cg2_threads_flush();
      break;
   case 8:
      grow(which);
      break;
   case 9:
      head_for(which);
      check(guest_sum_fault());
      break;
   case 10:
   case 11:
      guest_discard(choose_block(which));
      break;
   case 12:
      cg2_thread_expect();
      break;
   default:
      if (what % 32 < 7)
         step_aside(what % 32, which);
      else
         run(choose_block(which), what);
      break;
   }
   check(guest_fault());
}

/*--- All of it ----------------------------------------------------------*/

/* Makes the engine one in which nothing has run. Exits keep their caches, which
 * must not matter. */
static void forget(void)
{
   head_for(0);
   guest_stop();
   for (UInt tid = 1; tid <= THREADS; tid++)
      cg2_threads_end(tid);
   guest_forget();
   guest_switch(1, STACK);
}

int LLVMFuzzerTestOneInput(const UChar* data, SizeT size);

int LLVMFuzzerTestOneInput(const UChar* data, SizeT size)
{
   if (!stubs[0]) make_program();
   forget();
   for (SizeT i = 0; i + 2 < size; i += 3)
      step(data[i], data[i + 1], data[i + 2]);
   head_for(0);
   check(guest_sum_fault());
   if (guest_total() > guest.executed) fail("more than was executed");
   forget();
   for (UInt f = 1; f <= cg2_code.n_functions; f++)
      if (cg2_function_active(cg2_code.by_number[f]))
         fail("frames of no thread");
   return 0;
}
