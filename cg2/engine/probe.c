#include "engine/probe.h"

#include "arch/guest.h"
#include "code/jump.h"
#include "engine/arrival.h"
#include "engine/fibers.h"
#include "engine/lastcalls.h"
#include "engine/leaps.h"

/* Reason for a mutable file-scope object: a cache, which probes look into. */
LastCall cg2_lastcalls[LAST_CALLS];

/* The usual transfers call nothing, so that they need no stack frame of their
 * own. They work on the registers in the guest state's shadow. For anything
 * else the registers are moved to cg2_now and back. */

/* Moves the registers to cg2_now, complete. */
static void fetch_registers(Registers* regs)
{
   cg2_thread_complete(regs);
   cg2_registers_copy(&cg2_now.regs, regs);
}

/* Moves the registers back to where generated code works on them. */
static void return_registers(Registers* regs)
{
   cg2_registers_copy(regs, &cg2_now.regs);
}

/*--- Frames -------------------------------------------------------------*/

/* Enters arc->callee when nothing is pending. */
static inline void
enter_now(Arc* arc, Addr sp, Addr return_address, Registers* regs)
{
   cg2_stack_push_unsettled(&cg2_now.stack, arc, sp, return_address,
                            regs->counters.of);
   cg2_probe_land(arc->cells, regs);
}

/* Enters arc->callee when something is pending, which is no cost of it, or when
 * paths are kept. */
static __attribute__((noinline)) void
enter_other(Arc* arc, Addr sp, Addr return_address, Registers* regs)
{
   if (cg2_now.account.has_pending) cg2_thread_complete(regs);
   enter_now(arc, sp, return_address, regs);
   if (cg2_path_is_on()) cg2_stack_take_step(cg2_now.stack.top);
}

/* Enters arc->callee: pushes a frame, and lets its cells count. */
static inline void
enter(Arc* arc, Addr sp, Addr return_address, Registers* regs)
{
   if (__builtin_expect(cg2_now.account.has_more, 0))
      enter_other(arc, sp, return_address, regs);
   else
      enter_now(arc, sp, return_address, regs);
}

/* Pops the top frame, which is not settled, lets its caller's cells count, and
 * returns the frame. */
static inline Frame* pop_unsettled(Registers* regs)
{
   Frame* frame = cg2_now.stack.top;
   cg2_stack_pop_unsettled(&cg2_now.stack, regs->counters.of);
   cg2_probe_land(frame->arc->caller_cells, regs);
   return frame;
}

/* Charges the call of a frame that was popped with what is pending. */
static void charge_pending(const Frame* frame)
{
   const ULong* pending = cg2_now.account.pending.of;
   cg2_cost_add_each(frame->arc->inclusive, pending);
   if (cg2_path_is_on()) cg2_cost_add_each(frame->step->inclusive, pending);
}

/* Pops the top frame, which is settled, or while something is pending, or while
 * paths are kept. What is pending was counted since the last frame was entered,
 * so it is part of all calls that are open. */
static __attribute__((noinline)) void pop_other(Registers* regs)
{
   if (!cg2_stack_is_settled(&cg2_now.stack)) {
      const Frame* frame = pop_unsettled(regs);
      if (cg2_path_is_on()) {
         cg2_cost_add_counted(frame->step->inclusive, regs->counters.of,
                              frame->start);
         frame->step->n_open--;
      }
      if (cg2_now.account.has_pending) charge_pending(frame);
      return;
   }
   cg2_thread_complete(regs);
   cg2_probe_land(cg2_now.stack.top->arc->caller_cells, regs);
   cg2_stack_pop(&cg2_now.stack, cg2_now.account.total.of);
}

/* Pops the top frame, whose function returns. */
static inline void pop(Registers* regs)
{
   Bool is_other =
      cg2_stack_is_settled(&cg2_now.stack) || cg2_now.account.has_more;
   if (__builtin_expect(is_other, 0))
      pop_other(regs);
   else
      pop_unsettled(regs);
}

/*--- Not as usual -------------------------------------------------------*/

/* Lets control go to `target` by `exit`, not as usual. */
static __attribute__((noinline)) void
go_on(Exit* exit, Addr sp, Addr target, Registers* regs)
{
   fetch_registers(regs);
   cg2_now.regs.exit = exit;
   cg2_now.regs.sp = sp;
   cg2_now.current = &cg2_left;
   cg2_arrival_go_on(target);
   return_registers(regs);
}

/* Prepares `exit` to remember the call that goes to `target` now, if it is
 * one. */
static void watch(Exit* exit, Addr target)
{
   cg2_exit_forget(exit);
   exit->home = NULL;
   exit->target = target;
   exit->generation = cg2_blocks.generation;
}

/*--- Calls --------------------------------------------------------------*/

/* Calls `target` by `exit`, which made another call last time. */
static __attribute__((noinline)) void
call_other(Exit* exit, Addr sp, Addr target, Registers* regs)
{
   Arc* arc = cg2_lastcalls_take(exit, target, sp);
   if (arc) {
      enter(arc, sp, exit->return_address, regs);
      return;
   }
   const Cells* current = cg2_now.current;
   watch(exit, target);
   go_on(exit, sp, target, regs);
   cg2_lastcalls_note(exit, current);
}

VG_REGPARM(2) void cg2_probe_call(Exit* exit, Addr sp, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   Arc* arc = exit->recent;
   if (cg2_usual_call(exit, sp))
      enter(arc, sp, exit->return_address, regs);
   else
      call_other(exit, sp, exit->target, regs);
}

VG_REGPARM(3)
void cg2_probe_call_to(Exit* exit, Addr sp, Addr target, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   Arc* arc = exit->recent;
   if (cg2_usual_target(exit, target) && cg2_usual_call(exit, sp))
      enter(arc, sp, exit->return_address, regs);
   else
      call_other(exit, sp, target, regs);
}

/*--- Jumps --------------------------------------------------------------*/

VG_REGPARM(2) void cg2_probe_jump(Exit* exit, Addr sp, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   Arc* arc = exit->recent;
   if (cg2_usual_tail_call(arc, sp))
      enter(arc, sp, 0, regs);
   else
      go_on(exit, sp, exit->target, regs);
}

/* Lets the cells of the current context and `home` count, if the transfer is a
 * usual one: nothing is left, and the context has such cells. False: nothing
 * has happened. */
static inline Bool try_stay(Addr sp, const Function* home, Registers* regs)
{
   if (!cg2_usual_leaves_nothing(sp)) return False;
   const Cells* cells = &cg2_now.current->context->own;
   while (cells && cells->home != home)
      cells = cells->next;
   if (cells) cg2_probe_land(cells, regs);
   return cells != NULL;
}

VG_REGPARM(3)
void cg2_probe_stay(Exit* exit, Addr sp, const Function* home, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   if (!try_stay(sp, home, regs)) go_on(exit, sp, exit->target, regs);
}

/* The home of the block at `target`, if the current function would go on there
 * after a jump by `exit` (transfer *stay*); else NULL. */
static Function* home_to_stay_in(const Exit* exit, Addr target)
{
   const Block* block = cg2_block_translated(target);
   if (!block || block->is_guarded || exit->block->is_guarded) return NULL;
   Jump jump = cg2_jump_between(exit->block, block);
   return cg2_jump_is_call(&jump) ? NULL : block->home;
}

/* Jumps to `target` by `exit`, which was no tail call of it last time. */
static __attribute__((noinline)) void
jump_other(Exit* exit, Addr sp, Addr target, Registers* regs)
{
   if (cg2_usual_target(exit, target) && exit->home &&
       !cg2_guest_is_open(cg2_now.stack.top->sp, sp) &&
       cg2_fibers_is_near(&cg2_now.stack, sp) && try_stay(sp, exit->home, regs))
      return;
   const Frame* top = cg2_usual_leaves_nothing(sp) ? cg2_now.stack.top : NULL;
   watch(exit, target);
   go_on(exit, sp, target, regs);
   if (cg2_now.stack.top == top && cg2_thread_has_arrived())
      exit->home = home_to_stay_in(exit, target);
}

VG_REGPARM(3)
void cg2_probe_jump_to(Exit* exit, Addr sp, Addr target, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   Arc* arc = exit->recent;
   if (cg2_usual_target(exit, target) && cg2_usual_tail_call(arc, sp))
      enter(arc, sp, 0, regs);
   else
      jump_other(exit, sp, target, regs);
}

/*--- Returns ------------------------------------------------------------*/

/* Returns to `target`, not from the top frame: perhaps from a frame below tail
 * calls, whose function returns for all of them. */
static __attribute__((noinline)) void
return_other(Exit* exit, Addr sp, Addr target, Registers* regs)
{
   const Frame* frame = cg2_now.stack.top;
   while (cg2_frame_is_of_tail_call(frame))
      frame = cg2_frame_below(frame);
   if (cg2_usual_return(frame, sp, target))
      while (cg2_now.stack.top >= frame)
         pop(regs);
   else
      go_on(exit, sp, target, regs);
}

VG_REGPARM(3)
void cg2_probe_return(Exit* exit, Addr sp, Addr target, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   if (cg2_usual_return(cg2_now.stack.top, sp, target))
      pop(regs);
   else
      return_other(exit, sp, target, regs);
}

/*--- Stubs --------------------------------------------------------------*/

/* Charges the call of `arc` with a run of `stub`, which is part of it. */
static inline void charge_stub(const Arc* arc, const Block* stub)
{
   cg2_account_charge_stub(&cg2_now.account, cg2_arc_skipped(arc), stub);
}

/* Goes to `target` through `stub`, by a jump, or by a call that is not the
 * usual one. */
static __attribute__((noinline)) void
stub_other(Addr sp, Addr target, const Block* stub, Registers* regs)
{
   Exit* exit = regs->exit;
   Arc* arc = exit->recent;
   if (exit->kind == EXIT_JUMP && cg2_usual_target(exit, target) &&
       cg2_usual_tail_call(arc, regs->sp)) {
      charge_stub(arc, stub);
      enter(arc, regs->sp, 0, regs);
      return;
   }
   arc = exit->kind == EXIT_CALL ? cg2_lastcalls_take(exit, target, regs->sp)
                                 : NULL;
   if (arc) {
      charge_stub(arc, stub);
      enter(arc, regs->sp, exit->return_address, regs);
      return;
   }
   const Cells* current = cg2_now.current;
   fetch_registers(regs);
   cg2_now.stub_sp = sp;
   cg2_now.current = &cg2_in_stub;
   cg2_account_skip_stub(&cg2_now.account, stub);
   watch(exit, target);
   cg2_arrival_go_on(target);
   cg2_lastcalls_note(exit, current);
   return_registers(regs);
}

VG_REGPARM(3)
void cg2_probe_stub(Addr sp, Addr target, const Block* stub, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   Exit* exit = regs->exit;
   Arc* arc = exit->recent;
   if (cg2_usual_target(exit, target) && cg2_usual_call(exit, regs->sp)) {
      charge_stub(arc, stub);
      enter(arc, regs->sp, exit->return_address, regs);
   } else
      stub_other(sp, target, stub, regs);
}

/*--- In blocks ----------------------------------------------------------*/

VG_REGPARM(2) void cg2_probe_leap(const Exit* exit, Addr target, void* guest)
{
   (void)guest;
   cg2_leaps_count(exit, cg2_now.current->context,
                   target - exit->block->address);
}

VG_REGPARM(1) void cg2_probe_enter(Block* block, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   fetch_registers(regs);
   cg2_arrival_at(block);
   return_registers(regs);
}

void cg2_probe_due(void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   fetch_registers(regs);
   cg2_engine_config.due();
   return_registers(regs);
   regs->until_dump = cg2_engine_config.dump_every;
}

VG_REGPARM(2) void cg2_probe_count(UWord event, UWord n, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   cg2_thread_complete(regs);
   cg2_account_add(&cg2_now.account, event, n);
}

VG_REGPARM(1) void cg2_probe_check(const Block* block, void* guest)
{
   const Thread* t = &cg2_now;
   const Context* context = cg2_thread_context();
   if (t->current->home == block->home && t->current->context == context &&
       cg2_probe_registers(guest)->cells == t->current->counts &&
       t->current->n >= block->home->n_slots)
      return;
   VG_(umsg)("cells of %s in %s, not of %s in %s, count at 0x%lx of %s\n",
             t->current->home ? t->current->home->name->text : "nothing",
             t->current->context ? t->current->context->name->text : "nothing",
             block->home->name->text, context ? context->name->text : "nothing",
             block->offset, block->object->name->text);
   VG_(exit)(1);
}
