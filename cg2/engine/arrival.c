#include "engine/arrival.h"

#include "engine/callee.h"
#include "engine/fiberswitch.h"
#include "engine/handlers.h"
#include "engine/tailchain.h"
#include "engine/transfer.h"
#include "engine/usual.h"

/*--- Watched functions --------------------------------------------------*/

void cg2_arrival_found(const Function* function)
{
   if (function->rules->is_watched && cg2_function_active(function) == 0)
      cg2_engine_config.found(function);
}

/* Tells about a watched function that is about to be entered, by `exit`, if it
 * is called. */
static void announce(const Function* function, const Exit* exit)
{
   if (function->rules->is_watched && cg2_function_active(function) == 0)
      cg2_engine_config.entering(function, exit);
}

/* An address that no code returns to. */
enum { NO_ADDRESS = 1 };

Addr cg2_arrival_return_address(const Exit* exit, const Function* callee)
{
   return callee->rules->is_watched ? NO_ADDRESS : exit->return_address;
}

/*--- Frames that are gone -----------------------------------------------*/

/* What was popped when control arrived. */
typedef struct Popped {
   const Arc* outermost; /* the arc of the outermost frame; NULL: none */
   Bool is_resolver;     /* a resolver's frame, which its function replaces */
} Popped;

/* Whether `sp` lies beyond the start of the stack that runs. A call there is
 * made on another stack than the caller's, and leaves nothing. */
static Bool is_beyond(Addr sp)
{
   const Stack* stack = &cg2_now.stack;
   return !cg2_now.n_interrupted && stack->start && sp > stack->start;
}

/* Pops the frames that are gone when control arrives at `block` by `exit` with
 * stack pointer `sp`, out of signal handlers too. */
static Popped pop_by_sp(const Exit* exit, Addr sp, const Block* block)
{
   const Stack* stack = &cg2_now.stack;
   ExitKind kind = exit->kind;
   if (cg2_transfer_leaves_resolver(stack->top, kind, sp))
      return (Popped){cg2_thread_pop(), True};
   Arc* handler = cg2_handlers_leave(kind, sp);
   if (kind == EXIT_CALL && is_beyond(sp)) return (Popped){handler, False};
   UInt gone = exit->is_fixed ? cg2_transfer_count_left(stack, kind, sp)
                              : cg2_transfer_count_gone(stack, kind, sp, block);
   Arc* outermost = cg2_thread_leave_to(cg2_stack_depth(stack) - gone);
   return (Popped){outermost ? outermost : handler, False};
}

/* Pops the top frame, and frames of tail calls that led to it, if control
 * returns to behind the call of the function and has left words on the stack:
 * V8's code does. Returns the arc of the outermost frame that was popped, or
 * NULL. */
static const Arc* pop_by_address(const Exit* exit, const Block* block)
{
   const Frame* frame = cg2_now.stack.top;
   if (exit->kind != EXIT_RETURN || cg2_stack_is_empty(&cg2_now.stack))
      return NULL;
   while (cg2_frame_is_of_tail_call(frame))
      frame = cg2_frame_below(frame);
   if (!cg2_frame_returns_to(frame, block->address)) return NULL;
   const Arc* outermost = NULL;
   while (cg2_now.stack.top >= frame)
      outermost = cg2_thread_pop();
   return outermost;
}

/* Pops the frames that are gone when control arrives at `block` by `exit`. A
 * move inside a function leaves none, so its stack pointer is taken as 0. */
static Popped pop_gone(const Exit* exit, const Block* block)
{
   Addr sp = cg2_thread_has_arrived() ? 0 : cg2_now.regs.sp;
   cg2_fiberswitch_arrive(exit, sp, block);
   Popped popped = pop_by_sp(exit, sp, block);
   if (!popped.outermost) popped.outermost = pop_by_address(exit, block);
   return popped;
}

/*--- Frames that are pushed ---------------------------------------------*/

/* The path of the top frame; NULL with an empty stack, or if paths are not
 * kept. */
static PathStep* path(void)
{
   const Stack* stack = &cg2_now.stack;
   return cg2_path_is_on() && !cg2_stack_is_empty(stack) ? stack->top->step->to
                                                         : NULL;
}

/* Charges `payer` with what was spent in stubs on the way to where control has
 * arrived. That was counted while the path `spender` ran; it is now of the path
 * that the payer is on, which runs. */
static void charge_stubs(ULong* payer, PathStep* spender)
{
   if (path()) cg2_path_move(spender, path(), cg2_now.account.skipped.of);
   cg2_account_charge_skipped(&cg2_now.account, payer);
}

/* Charges `arc` with what was spent in stubs on the way of its call. */
static inline void charge_call(const Arc* arc, PathStep* spender)
{
   if (cg2_now.current == &cg2_in_stub)
      charge_stubs(cg2_arc_skipped(arc), spender);
}

/* Charges `context` with what was spent in stubs on the way to it, by no
 * call. */
static void charge_context(Context* context, PathStep* spender)
{
   if (cg2_now.current == &cg2_in_stub)
      charge_stubs(cg2_context_skipped(context), spender);
}

/* Pushes a root: `block` is the first that runs on this stack. */
static void push_root(Block* block)
{
   Function* function = cg2_block_called(block);
   cg2_stack_grow(&cg2_now.stack);
   announce(function, NULL);
   Context* root = cg2_callee_context(function, NULL);
   cg2_now.regs.sp = cg2_fiberswitch_begin();
   cg2_stack_push(&cg2_now.stack, cg2_graph_root(root), cg2_now.regs.sp, 0,
                  cg2_now.account.total.of);
   charge_context(root, NULL);
}

/* Whether what an exit remembers may be that it led to `block`. It may not if
 * the core redirects, nor if the exit has led elsewhere since control left by
 * it: another thread may have run on the way, or a handler. */
static Bool is_target(const Exit* exit, const Block* block)
{
   return block->is_live && exit->target == block->address;
}

/* Whether control that leaves `caller` by `exit` will go to `block` again. It
 * does not if another exit led there (then it is `exit` that was replaced), or
 * if the exit may also be the resolver's end. */
static Bool
is_repeated(const Exit* exit, const Context* caller, const Block* block)
{
   return exit == cg2_now.regs.exit && is_target(exit, block) &&
          !(exit->kind == EXIT_JUMP && caller->function->is_resolver);
}

/* The arc of a call of `function`, which arrives at `block`. Exit and block
 * remember the arc, if the next call may take it without a look. */
static Arc* arc_of_call(Exit* exit, Function* function, Block* block)
{
   Context* caller = cg2_thread_context();
   Context* callee = cg2_callee_context(function, exit);
   Arc* arc = cg2_graph_arc(exit, caller, callee, block);
   if (!is_repeated(exit, caller, block)) cg2_exit_forget(exit);
   if (function->rules->is_watched || !cg2_callee_is_fixed(function)) {
      block->recent = NULL;
      cg2_exit_forget(exit);
   }
   return arc;
}

/* Pushes the frame of a call by `exit`, which arrives at `block`. A tail call's
 * frame starts where control arrives, at or below its caller's frame, and is
 * left together with that. A function that was entered through a stub which
 * pushed words is a resolver. */
static void push_call(Exit* exit, Block* block, PathStep* spender)
{
   Function* function = cg2_block_called(block);
   cg2_tailchain_join(&cg2_now.stack, cg2_now.account.total.of);
   cg2_stack_grow(&cg2_now.stack);
   announce(function, exit);
   Arc* arc = arc_of_call(exit, function, block);
   if (cg2_now.current == &cg2_in_stub && cg2_now.stub_sp != cg2_now.regs.sp)
      arc->callee->function->is_resolver = True;
   charge_call(arc, spender);
   cg2_stack_push(&cg2_now.stack, arc, cg2_now.regs.sp,
                  cg2_arrival_return_address(exit, function),
                  cg2_now.account.total.of);
}

/* Whether the jumper's frame makes room for that of the function it jumps to.
 * Nobody called a root who could call the other function instead. */
static Bool makes_room(const Exit* exit)
{
   const Context* jumper = cg2_thread_context();
   return exit->kind == EXIT_JUMP && jumper->function->rules->pops_on_jump &&
          cg2_now.stack.top->arc->exit;
}

/*--- Arrival ------------------------------------------------------------*/

/* Whether the exit leads from other code to a stub that is not skipped. */
static Bool enters_stubs(const Exit* exit, const Block* block)
{
   return block->is_among_stubs && exit->block && !exit->block->is_among_stubs;
}

/* What is known of the transfer by `exit` to `block`. */
static Arrival describe(const Exit* exit, const Block* block, Popped popped)
{
   Arrival a = {.kind = exit->kind,
                .left_frames = popped.outermost != NULL,
                .left_resolver = popped.is_resolver};
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

/* Arrives at `block`, wherever control comes from. */
static __attribute__((noinline)) void arrive(Block* block)
{
   Exit* exit = cg2_thread_last_exit();
   PathStep* spender = path();
   if (spender) spender->n_open++; /* so that it stays until it is charged */
   Popped popped = pop_gone(exit, block);
   Arrival arrival = describe(exit, block, popped);
   switch (cg2_transfer_classify(&arrival)) {
   case TRANSFER_START:
      push_root(block);
      break;
   case TRANSFER_CALL:
      push_call(makes_room(exit) ? cg2_thread_pop()->exit : exit, block,
                spender);
      break;
   case TRANSFER_REPLACE:
      push_call(popped.outermost->exit ? popped.outermost->exit : exit, block,
                spender);
      break;
   case TRANSFER_RESUME:
   case TRANSFER_STAY:
      charge_context(cg2_thread_context(), spender);
      break;
   }
   if (spender) spender->n_open--;
   cg2_thread_land(cg2_context_cells(cg2_thread_context(), block->home));
}

/* The arc of the call of `block` that was made last, if the call that is on its
 * way is the same again; else NULL. A call by pointer goes to many functions,
 * but most of those are called from one place. */
static inline Arc* repeated_call(const Exit* exit, const Block* block)
{
   Arc* arc = block->recent;
   return exit->kind == EXIT_CALL && arc && arc->exit == exit &&
                cg2_usual_late_call(arc, cg2_now.regs.sp)
             ? arc
             : NULL;
}

/* Arrives at `block` by a call of `arc` again. */
static inline void repeat_call(Exit* exit, Arc* arc, const Block* block)
{
   charge_call(arc, path());
   cg2_stack_push(&cg2_now.stack, arc, cg2_now.regs.sp, exit->return_address,
                  cg2_now.account.total.of);
   cg2_thread_land(arc->cells);
   if (is_target(exit, block)) cg2_exit_remember(exit, arc);
}

void cg2_arrival_at(Block* block)
{
   Exit* exit = cg2_now.regs.exit;
   Arc* arc = cg2_thread_has_arrived() ? NULL : repeated_call(exit, block);
   if (arc)
      repeat_call(exit, arc, block);
   else
      arrive(block);
}

void cg2_arrival_go_on(Addr address)
{
   Block* block = cg2_block_translated(address);
   if (block && !block->is_guarded && !block->is_stub) cg2_arrival_at(block);
}
