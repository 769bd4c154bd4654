#include "engine/probe.h"

#include "arch/guest.h"
#include "engine/fibers.h"
#include "engine/leaps.h"

/* Reason for a mutable file-scope object: configuration. */
ProbeConfig cg2_probe_config;

/* No code returns there. */
enum { NO_ADDRESS = 1 };

/* A program that calls much transfers control every dozen instructions. The
 * usual transfers call nothing, so that they need no stack frame of their own,
 * and look at nothing that can be known beforehand. */

/* For what is not usual: the thread's registers are in cg2_now, complete. */
static void take(Registers* regs)
{
   cg2_thread_complete(regs);
   cg2_registers_copy(&cg2_now.regs, regs);
}

static void give_back(Registers* regs)
{
   cg2_registers_copy(regs, &cg2_now.regs);
}

/* As cg2_thread_land(), while generated code runs. */
static inline void land(const Cells* cells, Registers* regs)
{
   cg2_now.current = cells;
   regs->cells = cells->counts;
}

static inline void
enter_now(Arc* arc, Addr sp, Addr return_address, Registers* regs)
{
   cg2_stack_push_unsettled(&cg2_now.stack, arc, sp, return_address,
                            regs->counters.of);
   land(arc->cells, regs);
}

static __attribute__((noinline)) void
complete_and_enter(Arc* arc, Addr sp, Addr return_address, Registers* regs)
{
   cg2_thread_complete(regs);
   enter_now(arc, sp, return_address, regs);
}

static inline void
enter(Arc* arc, Addr sp, Addr return_address, Registers* regs)
{
   if (__builtin_expect(cg2_now.account.has_pending, 0))
      complete_and_enter(arc, sp, return_address, regs);
   else
      enter_now(arc, sp, return_address, regs);
}

/* Whether arc->callee is what a call would enter, and there is room. */
static inline Bool is_ready(const Arc* arc)
{
   const Stack* stack = &cg2_now.stack;
   return cg2_arc_fits(arc) && stack->top < stack->limit;
}

static inline Bool calls_deeper(Addr sp)
{
   return !cg2_guest_has_left(cg2_now.stack.top->sp, sp, True);
}

/* Whether a call from the block that runs is one by `arc` again. */
static inline Bool repeats(const Arc* arc, Addr sp)
{
   return arc && arc->caller_cells == cg2_now.current && is_ready(arc) &&
          calls_deeper(sp);
}

/* Likewise, when control is on its way. */
static inline Bool repeats_late(const Arc* arc, Addr sp)
{
   return arc && cg2_arc_caller(arc) == cg2_thread_context() && is_ready(arc) &&
          calls_deeper(sp);
}

/* Likewise, for a jump. Where a handler might be left by it, it is not usual.
 */
static inline Bool repeats_jump(const Arc* arc, Addr sp)
{
   return arc && arc->caller_cells == cg2_now.current && is_ready(arc) &&
          !cg2_guest_has_left(cg2_now.stack.top->sp, sp, False) &&
          !cg2_now.n_interrupted;
}

/*--- Anything else ------------------------------------------------------*/

/* A call by pointer goes to many functions, but most of those are called from
 * one place: the call of `block` that was made last, if this is it again. */
static inline Arc* repeated_call(const Exit* exit, const Block* block)
{
   Arc* arc = block->recent;
   return exit->kind == EXIT_CALL && arc && arc->exit == exit &&
                arc->cells->home == block->home &&
                repeats_late(arc, cg2_now.regs.sp)
             ? arc
             : NULL;
}

/* The context that a call of `function` by `exit` enters. */
static Context* callee_context(Function* function, const Exit* exit)
{
   Context* caller = cg2_thread_context();
   if (function->rules->skips_direct_recursion && caller &&
       caller->function == function)
      return caller;
   return cg2_context_get(function, cg2_function_active(function),
                          cg2_thread_separation(function, exit));
}

/* The function that a call to `block` calls, which is about to be. */
static Function* callee(Block* block)
{
   Function* function = cg2_block_called(block);
   if (function->rules->is_watched && cg2_function_active(function) == 0)
      cg2_probe_config.entering(function);
   return function;
}

void cg2_probe_found(const Function* function)
{
   if (function->rules->is_watched && cg2_function_active(function) == 0)
      cg2_probe_config.found(function);
}

/* A frame of a watched function is left by no usual return. */
Addr cg2_probe_return_address(const Exit* exit, const Function* callee)
{
   return callee->rules->is_watched ? NO_ADDRESS : exit->return_address;
}

static void start(Block* block)
{
   cg2_stack_grow(&cg2_now.stack);
   Context* root = callee_context(callee(block), NULL);
   cg2_now.regs.sp = cg2_thread_begin_stack();
   cg2_stack_push(&cg2_now.stack, cg2_graph_root(root), cg2_now.regs.sp, 0,
                  cg2_now.account.total.of);
   if (cg2_now.current == &cg2_in_stub)
      cg2_account_charge_skipped(&cg2_now.account, cg2_context_skipped(root));
}

/* Whether control that leaves `caller` by `exit` will go to `block` again: it
 * does not if it was another exit that led there (then it is `exit` that was
 * replaced), if it may also be the resolver's end, or if the core redirects. */
static Bool
is_usual(const Exit* exit, const Context* caller, const Block* block)
{
   return exit == cg2_now.regs.exit && block->is_live &&
          !(exit->kind == EXIT_JUMP && caller->function->is_resolver);
}

/* A tail call's frame starts where control arrives, at or below its caller's,
 * and is left together with it. */
static void call(Exit* exit, Block* block)
{
   cg2_stack_grow(&cg2_now.stack);
   Function* function = callee(block);
   Context* caller = cg2_thread_context();
   Arc* arc =
      cg2_graph_arc(exit, caller, callee_context(function, exit), block);
   if (!is_usual(exit, caller, block)) exit->recent = NULL;
   if (function->rules->is_watched || !cg2_thread_separation_is_fixed(function))
      exit->recent = block->recent = NULL;
   if (cg2_now.current == &cg2_in_stub) {
      if (cg2_now.stub_sp != cg2_now.regs.sp)
         arc->callee->function->is_resolver = True;
      cg2_account_charge_skipped(&cg2_now.account, cg2_arc_skipped(arc));
   }
   cg2_stack_push(&cg2_now.stack, arc, cg2_now.regs.sp,
                  cg2_probe_return_address(exit, function),
                  cg2_now.account.total.of);
}

/* Whether the exit leads from other code to a stub that is not skipped. */
static Bool enters_stubs(const Exit* exit, const Block* block)
{
   return block->is_among_stubs && exit->block && !exit->block->is_among_stubs;
}

static Arrival describe(const Exit* exit,
                        const Block* block,
                        Bool left_frames,
                        Bool left_resolver)
{
   Arrival a = {.kind = exit->kind,
                .left_frames = left_frames,
                .left_resolver = left_resolver};
   const Context* context = cg2_thread_context();
   if (!context) return a;
   a.has_context = True;
   a.jump = (Jump){.to_object = block->object != context->function->object,
                   .to_stub = cg2_now.current == &cg2_in_stub ||
                              enters_stubs(exit, block),
                   .to_entry = block->is_entry,
                   .to_itself = cg2_context_runs(context, block)};
   return a;
}

/* Whether the jumper's frame makes room for that of the function it jumps to. A
 * root was called by nobody who could call that instead. */
static Bool pops_on_jump(const Exit* exit)
{
   const Context* jumper = cg2_thread_context();
   return exit->kind == EXIT_JUMP && jumper->function->rules->pops_on_jump &&
          cg2_now.stack.top->arc->exit;
}

static Bool is_of_tail_call(const Frame* frame)
{
   return frame->return_address == 0 && frame->arc && frame->arc->exit;
}

/* A function that leaves words on the stack returns to behind its call all the
 * same: V8's code does. Leaves its frame then, and those of tail calls that led
 * to it. Returns the arc of the last frame that was left, or NULL. */
static const Arc* leave_by_address(const Exit* exit, const Block* block)
{
   const Frame* frame = cg2_now.stack.top;
   if (exit->kind != EXIT_RETURN || cg2_stack_is_empty(&cg2_now.stack))
      return NULL;
   while (is_of_tail_call(frame))
      frame = cg2_frame_below(frame);
   const Exit* call_site = frame->arc->exit;
   if (!call_site || call_site->return_address != block->address) return NULL;
   const Arc* left = NULL;
   while (cg2_now.stack.top >= frame)
      left = cg2_thread_pop();
   return left;
}

static __attribute__((noinline)) void arrive(Block* block)
{
   Exit* exit = cg2_thread_last_exit();
   /* A move inside a function leaves no frames. */
   Addr sp = cg2_thread_has_arrived() ? 0 : cg2_now.regs.sp;
   Bool left_resolver;
   cg2_thread_change_stack(exit, sp, block);
   const Arc* left = cg2_thread_leave(exit->kind, sp, &left_resolver);
   if (!left) left = leave_by_address(exit, block);
   Arrival arrival = describe(exit, block, left != NULL, left_resolver);
   switch (cg2_calls_classify(&arrival)) {
   case TRANSFER_START:
      start(block);
      break;
   case TRANSFER_CALL:
      if (pops_on_jump(exit)) {
         const Exit* call_site = cg2_thread_pop()->exit;
         call((Exit*)call_site, block);
      } else
         call(exit, block);
      break;
   case TRANSFER_REPLACE:
      call(left->exit ? left->exit : exit, block);
      break;
   case TRANSFER_RESUME:
   case TRANSFER_STAY:
      if (cg2_now.current == &cg2_in_stub)
         cg2_account_charge_skipped(&cg2_now.account,
                                    cg2_context_skipped(cg2_thread_context()));
      break;
   }
   cg2_thread_land(cg2_context_cells(cg2_thread_context(), block->home));
}

void cg2_probe_arrive(Block* block)
{
   if (!cg2_thread_has_arrived()) {
      Exit* exit = cg2_now.regs.exit;
      Arc* arc = repeated_call(exit, block);
      if (arc) {
         if (cg2_now.current == &cg2_in_stub)
            cg2_account_charge_skipped(&cg2_now.account, cg2_arc_skipped(arc));
         cg2_stack_push(&cg2_now.stack, arc, cg2_now.regs.sp,
                        exit->return_address, cg2_now.account.total.of);
         cg2_thread_land(arc->cells);
         if (block->is_live) exit->recent = arc;
         return;
      }
   }
   arrive(block);
}

void cg2_probe_go_on(Addr address)
{
   Block* block = cg2_block_translated(address);
   if (block && !block->is_guarded && !block->is_stub) cg2_probe_arrive(block);
}

VG_REGPARM(1) void cg2_probe_enter(Block* block, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   take(regs);
   cg2_probe_arrive(block);
   give_back(regs);
}

void cg2_probe_due(void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   take(regs);
   cg2_probe_config.due();
   give_back(regs);
   regs->until_dump = cg2_probe_config.dump_every;
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

/*--- At exits -----------------------------------------------------------*/

/* Whether exit->recent goes to `target`, where the same is translated as when
 * it did. */
static inline Bool went_to(const Exit* exit, Addr target)
{
   return exit->target == target && exit->generation == cg2_blocks.generation;
}

/* Control goes to `target` by `exit`, not as usual. */
static __attribute__((noinline)) void
go_on(Exit* exit, Addr sp, Addr target, Registers* regs)
{
   take(regs);
   cg2_now.regs.exit = exit;
   cg2_now.regs.sp = sp;
   cg2_now.current = &cg2_left;
   cg2_probe_go_on(target);
   give_back(regs);
}

/* exit->recent will be the call that goes to `target` now, if it is one. */
static void expect(Exit* exit, Addr target)
{
   exit->recent = NULL;
   exit->home = NULL;
   exit->target = target;
   exit->generation = cg2_blocks.generation;
}

VG_REGPARM(2) void cg2_probe_jump(Exit* exit, Addr sp, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   Arc* arc = exit->recent;
   if (repeats_jump(arc, sp))
      enter(arc, sp, 0, regs);
   else
      go_on(exit, sp, exit->target, regs);
}

static inline Bool leaves_nothing(Addr sp)
{
   const Frame* top = cg2_now.stack.top;
   return cg2_thread_has_arrived() && !cg2_guest_has_left(top->sp, sp, False) &&
          !cg2_now.n_interrupted && !top->arc->callee->function->is_resolver;
}

/* Whether the block that runs has gone on to code of that home, in the same
 * context. */
static inline Bool moves(Addr sp, const Function* home, Registers* regs)
{
   if (!leaves_nothing(sp)) return False;
   const Cells* cells = &cg2_now.current->context->own;
   while (cells && cells->home != home)
      cells = cells->next;
   if (cells) land(cells, regs);
   return cells != NULL;
}

VG_REGPARM(3)
void cg2_probe_move(Exit* exit, Addr sp, const Function* home, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   if (!moves(sp, home, regs)) go_on(exit, sp, exit->target, regs);
}

/* The last call of some targets by some exits that make many: to many targets,
 * or from many contexts. */
typedef struct KnownCall {
   const Exit* exit;
   Addr target;
   Arc* arc;
   UInt generation; /* as of exits */
} KnownCall;

/* Reason for a mutable file-scope object: a cache, by exit, target and the
 * cells that count at the exit. */
enum { KNOWN_CALLS = 2048 };
static KnownCall known_calls[KNOWN_CALLS];

static inline KnownCall*
known_call(const Exit* exit, Addr target, const Cells* current)
{
   ULong hash =
      ((UWord)exit ^ target ^ (UWord)current << 3) * 0x9e3779b97f4a7c15ULL;
   return &known_calls[hash >> 32 & (KNOWN_CALLS - 1)];
}

/* The arc that a call by `exit` of `target` takes again, or NULL. */
static inline Arc*
known_arc(const KnownCall* known, const Exit* exit, Addr target, Addr sp)
{
   Bool is_it = known->exit == exit && known->target == target &&
                known->generation == cg2_blocks.generation;
   return is_it && repeats(known->arc, sp) ? known->arc : NULL;
}

static __attribute__((noinline)) void
call_other(Exit* exit, Addr sp, Addr target, Registers* regs)
{
   KnownCall* known = known_call(exit, target, cg2_now.current);
   Arc* arc = known_arc(known, exit, target, sp);
   if (arc) {
      enter(arc, sp, exit->return_address, regs);
      return;
   }
   expect(exit, target);
   go_on(exit, sp, target, regs);
   *known = (KnownCall){exit, target, exit->recent, exit->generation};
}

VG_REGPARM(2) void cg2_probe_call(Exit* exit, Addr sp, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   Arc* arc = exit->recent;
   if (repeats(arc, sp))
      enter(arc, sp, exit->return_address, regs);
   else
      call_other(exit, sp, exit->target, regs);
}

VG_REGPARM(3)
void cg2_probe_call_to(Exit* exit, Addr sp, Addr target, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   Arc* arc = exit->recent;
   if (went_to(exit, target) && repeats(arc, sp))
      enter(arc, sp, exit->return_address, regs);
   else
      call_other(exit, sp, target, regs);
}

/* The home of the block at `target`, if to jump there by `exit` is what
 * cg2_probe_move is for; else NULL. */
static Function* moved_to(const Exit* exit, Addr target)
{
   const Block* block = cg2_block_translated(target);
   if (!block || block->is_guarded || exit->block->is_guarded) return NULL;
   Jump jump = cg2_jump_between(exit->block, block);
   return cg2_jump_is_call(&jump) ? NULL : block->home;
}

static __attribute__((noinline)) void
jump_other(Exit* exit, Addr sp, Addr target, Registers* regs)
{
   if (went_to(exit, target) && exit->home &&
       cg2_fibers_is_near(&cg2_now.stack, sp) && moves(sp, exit->home, regs))
      return;
   const Frame* top = leaves_nothing(sp) ? cg2_now.stack.top : NULL;
   expect(exit, target);
   go_on(exit, sp, target, regs);
   if (cg2_now.stack.top == top && cg2_thread_has_arrived())
      exit->home = moved_to(exit, target);
}

VG_REGPARM(3)
void cg2_probe_jump_to(Exit* exit, Addr sp, Addr target, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   Arc* arc = exit->recent;
   if (went_to(exit, target) && repeats_jump(arc, sp))
      enter(arc, sp, 0, regs);
   else
      jump_other(exit, sp, target, regs);
}

VG_REGPARM(2) void cg2_probe_leap(const Exit* exit, Addr target, void* guest)
{
   (void)guest;
   cg2_leaps_count(exit, cg2_now.current->context,
                   target - exit->block->address);
}

static inline Arc* pop_unsettled(Registers* regs)
{
   Arc* arc = cg2_now.stack.top->arc;
   cg2_stack_pop_unsettled(&cg2_now.stack, regs->counters.of);
   land(arc->caller_cells, regs);
   return arc;
}

/* What is pending was counted since the last frame was entered: it is part of
 * all that are open. */
static __attribute__((noinline)) void pop_other(Registers* regs)
{
   if (!cg2_stack_is_settled(&cg2_now.stack)) {
      cg2_cost_add_each(pop_unsettled(regs)->inclusive,
                        cg2_now.account.pending.of);
      return;
   }
   cg2_thread_complete(regs);
   land(cg2_now.stack.top->arc->caller_cells, regs);
   cg2_stack_pop(&cg2_now.stack, cg2_now.account.total.of);
}

/* The top frame's function returns. */
static inline void pop(Registers* regs)
{
   Bool is_other =
      cg2_stack_is_settled(&cg2_now.stack) || cg2_now.account.has_pending;
   if (__builtin_expect(is_other, 0))
      pop_other(regs);
   else
      pop_unsettled(regs);
}

static inline Bool returns_from(const Frame* frame, Addr sp, Addr target)
{
   return frame->return_address == target && frame->sp == cg2_guest_entry(sp);
}

/* A function that was reached by tail calls returns for all of them. */
static __attribute__((noinline)) void
return_other(Exit* exit, Addr sp, Addr target, Registers* regs)
{
   const Frame* frame = cg2_now.stack.top;
   while (is_of_tail_call(frame))
      frame = cg2_frame_below(frame);
   if (returns_from(frame, sp, target))
      while (cg2_now.stack.top >= frame)
         pop(regs);
   else
      go_on(exit, sp, target, regs);
}

VG_REGPARM(3)
void cg2_probe_return(Exit* exit, Addr sp, Addr target, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   if (returns_from(cg2_now.stack.top, sp, target))
      pop(regs);
   else
      return_other(exit, sp, target, regs);
}

/* A stub's cost belongs to the call that it is part of. */
static inline void charge_stub(const Arc* arc, const Block* stub)
{
   cg2_account_charge_stub(&cg2_now.account, cg2_arc_skipped(arc), stub);
}

/* Through a stub by a jump, or by a call that is not the usual one. */
static __attribute__((noinline)) void
stub_other(Addr sp, Addr target, const Block* stub, Registers* regs)
{
   Exit* exit = regs->exit;
   Arc* arc = exit->recent;
   if (exit->kind == EXIT_JUMP && went_to(exit, target) &&
       repeats_jump(arc, regs->sp)) {
      charge_stub(arc, stub);
      enter(arc, regs->sp, 0, regs);
      return;
   }
   KnownCall* known = known_call(exit, target, cg2_now.current);
   arc = known_arc(known, exit, target, regs->sp);
   if (arc && exit->kind == EXIT_CALL) {
      charge_stub(arc, stub);
      enter(arc, regs->sp, exit->return_address, regs);
      return;
   }
   take(regs);
   cg2_now.stub_sp = sp;
   cg2_now.current = &cg2_in_stub;
   cg2_account_skip_stub(&cg2_now.account, stub);
   expect(exit, target);
   cg2_probe_go_on(target);
   *known = (KnownCall){exit, target, exit->recent, exit->generation};
   give_back(regs);
}

VG_REGPARM(3)
void cg2_probe_stub(Addr sp, Addr target, const Block* stub, void* guest)
{
   Registers* regs = cg2_probe_registers(guest);
   Exit* exit = regs->exit;
   Arc* arc = exit->recent;
   if (went_to(exit, target) && exit->kind == EXIT_CALL &&
       repeats(arc, regs->sp)) {
      charge_stub(arc, stub);
      enter(arc, regs->sp, exit->return_address, regs);
   } else
      stub_other(sp, target, stub, regs);
}
