#include "probe.h"

/* A program that calls much arrives somewhere new every dozen instructions.
 * The usual call and return are kept free of calls, so that they need no stack
 * frame of their own, and of all that can be known beforehand. */

/* Blocks of `block`'s home run from now on, and count in `cells`. */
static inline void land(const Block* block, const Cells* cells)
{
   ULong* counts = cells->counts;
   cg2_now.home_number = block->home_number;
   cg2_now.cells = counts;
}

static inline void push(Arc* arc, Addr return_address)
{
   cg2_now.context = arc->callee;
   cg2_stack_push(&cg2_now.stack, arc, cg2_now.sp, return_address,
                  &cg2_now.total);
}

/*--- The usual ----------------------------------------------------------*/

/* A return to just behind the call of the top frame. */
static inline Bool returns_to_caller(const Block* block)
{
   const Frame* top = cg2_now.stack.top;
   return top->return_address == block->address &&
          top->sp + sizeof(Addr) == cg2_now.sp;
}

/* Whether this is a call by `arc` again. */
static inline Bool repeats(const Arc* arc, const Exit* exit, const Block* block)
{
   const Stack* stack = &cg2_now.stack;
   return arc && arc->exit == exit && arc->target == block &&
          arc->caller == cg2_now.context &&
          cg2_context_fits(arc->callee, *arc->active) &&
          stack->top->sp > cg2_now.sp && stack->top < stack->limit;
}

/* The arc of a call of what this call site called last time, or else of a
 * function that was called from here last time: a call by pointer goes to many
 * functions, but most of those are called from one place. NULL: neither. */
static inline Arc* repeated_call(const Exit* exit, const Block* block)
{
   if (exit->kind != EXIT_CALL) return NULL;
   if (repeats(exit->recent, exit, block)) return exit->recent;
   if (repeats(block->recent, exit, block)) return block->recent;
   return NULL;
}

/*--- Anything else ------------------------------------------------------*/

static Context* callee_context(Block* block)
{
   Function* function = cg2_block_called(block);
   return cg2_context_get(function, function->active);
}

static void start(Block* block)
{
   cg2_stack_grow(&cg2_now.stack);
   /* A handler returns to the code behind it; nothing else that starts does. */
   cg2_now.sp = cg2_now.n_interrupted ? cg2_thread_sp() : ~(Addr)0;
   push(cg2_graph_root(callee_context(block)), 0);
   if (cg2_now.home_number == HOME_IN_STUB)
      cg2_thread_settle(&cg2_now.context->skipped);
}

/* A tail call's frame starts where control arrives, at or below its caller's,
 * and is left together with it. */
static void call(Exit* exit, Block* block)
{
   cg2_stack_grow(&cg2_now.stack);
   Arc* arc =
      cg2_graph_arc(exit, cg2_now.context, callee_context(block), block);
   if (cg2_now.home_number == HOME_IN_STUB) {
      if (cg2_now.stub_sp != cg2_now.sp)
         arc->callee->function->is_resolver = True;
      cg2_thread_settle(&arc->skipped);
   }
   push(arc, exit->kind == EXIT_CALL ? exit->return_address : 0);
}

static __attribute__((noinline)) void call_other(Block* block)
{
   Exit* exit = cg2_now.exit;
   call(exit, block);
   land(block, exit->recent->cells);
}

/* A call from a function that still has its frame on top. */
static inline Bool calls_deeper(void)
{
   return cg2_now.context && cg2_now.stack.top->sp > cg2_now.sp;
}

static Bool is_of_current(const Block* block)
{
   const Function* current = cg2_now.context->function;
   return block->function ? block->function == current : block->home == current;
}

static Arrival describe(const Block* block,
                        ExitKind kind,
                        Bool left_frames,
                        Bool left_resolver)
{
   Arrival a = {
      .kind = kind, .left_frames = left_frames, .left_resolver = left_resolver};
   if (!cg2_now.context) return a;
   a.has_context = True;
   a.same_function = is_of_current(block);
   a.at_entry = block->is_entry;
   a.elsewhere = cg2_now.home_number == HOME_IN_STUB ||
                 block->object != cg2_now.context->function->object;
   return a;
}

static __attribute__((noinline)) void arrive(Block* block)
{
   Exit* exit = cg2_thread_last_exit();
   Bool left_resolver;
   const Arc* left = cg2_thread_leave(exit->kind, cg2_now.sp, &left_resolver);
   Arrival arrival = describe(block, exit->kind, left != NULL, left_resolver);
   switch (cg2_calls_classify(&arrival)) {
   case TRANSFER_START:
      start(block);
      break;
   case TRANSFER_CALL:
      call(exit, block);
      break;
   case TRANSFER_REPLACE:
      call(left->exit ? left->exit : exit, block);
      break;
   case TRANSFER_RESUME:
   case TRANSFER_STAY:
      break;
   }
   land(block, cg2_context_cells(cg2_now.context, block->home));
}

/* As below, for control that comes out of a stub. */
static __attribute__((noinline)) void arrive_by_stub(Block* block)
{
   Exit* exit = cg2_now.exit;
   Arc* arc = repeated_call(exit, block);
   if (arc) {
      cg2_thread_settle(&arc->skipped);
      push(arc, exit->return_address);
      land(block, arc->cells);
   } else if (exit->kind == EXIT_CALL && calls_deeper())
      call_other(block);
   else
      arrive(block);
}

VG_REGPARM(1) void cg2_probe_enter(Block* block)
{
   if (cg2_now.home_number != HOME_LEFT) {
      if (cg2_now.home_number == HOME_IN_STUB)
         arrive_by_stub(block);
      else
         arrive(block);
      return;
   }
   Exit* exit = cg2_now.exit;
   Arc* arc = repeated_call(exit, block);
   if (arc) {
      push(arc, exit->return_address);
      land(block, arc->cells);
      return;
   }
   if (exit->kind == EXIT_CALL) {
      if (calls_deeper())
         call_other(block);
      else
         arrive(block);
      return;
   }
   if (returns_to_caller(block)) {
      Context* context = cg2_now.stack.top->arc->caller;
      if (context->function == block->home) {
         cg2_stack_pop(&cg2_now.stack, &cg2_now.total);
         cg2_now.context = context;
         land(block, &context->own);
         return;
      }
   }
   arrive(block);
}
