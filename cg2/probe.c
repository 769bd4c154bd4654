#include "probe.h"

/* Blocks of `block`'s home run in the current context from now on. */
static inline void land(const Block* block)
{
   cg2_now.home = block->home;
   cg2_now.home_number = block->home->number;
   cg2_now.cells =
      cg2_context_cells(cg2_now.context, block->home)->counts;
}

static inline void settle_skipped(Arc* arc)
{
   if (!cg2_now.skipped_blocks) return;
   cg2_cost_add(&arc->skipped, &cg2_now.skipped);
   cg2_now.stub_blocks += cg2_now.skipped_blocks;
   cg2_now.skipped_blocks = 0;
   VG_(memset)(&cg2_now.skipped, 0, sizeof cg2_now.skipped);
}

static inline void push(Arc* arc, Addr sp, Addr return_address)
{
   settle_skipped(arc);
   cg2_stack_push(&cg2_now.stack, arc->callee, arc, sp, return_address,
                  &cg2_now.total);
   cg2_now.context = arc->callee;
}

/* The usual return: to just behind the call of the top frame. Any other is
 * left to arrive(). */
static inline Bool returned(const Block* block, Addr sp)
{
   Stack* stack = &cg2_now.stack;
   const Frame* top = cg2_stack_top(stack);
   if (!top || top->return_address != block->address ||
       top->sp + sizeof(Addr) != sp)
      return False;
   cg2_now.context = top->arc->caller;
   cg2_stack_pop(stack, &cg2_now.total);
   return True;
}

/* The usual call: what this call site called last time, from the same context,
 * and the stack grew. Any other is left to arrive(). */
static inline Bool called(Exit* exit, const Block* block, Addr sp)
{
   Stack* stack = &cg2_now.stack;
   const Frame* top = cg2_stack_top(stack);
   Arc* arc = exit->recent;
   if (!arc || !top || top->sp <= sp || arc->caller != cg2_now.context ||
       !arc->callee || arc->callee->function != block->function ||
       !cg2_context_fits(arc->callee,
                         cg2_stack_active(stack, block->function)))
      return False;
   push(arc, sp, exit->return_address);
   return True;
}

static void start(Block* block, Addr sp)
{
   Stack* stack = &cg2_now.stack;
   Function* function = cg2_block_called(block);
   Context* context =
      cg2_context_get(function, cg2_stack_active(stack, function));
   /* A handler returns to the code behind it; nothing else that starts does. */
   Addr gone_above = cg2_now.n_interrupted ? sp : ~(Addr)0;
   cg2_stack_push(stack, context, NULL, gone_above, 0, &cg2_now.total);
   cg2_now.context = context;
}

/* A tail call's frame starts where control arrives, at or below its caller's,
 * and is left together with it. */
static void call(Exit* exit, Block* block, Addr sp)
{
   Stack* stack = &cg2_now.stack;
   Function* function = cg2_block_called(block);
   Context* callee =
      cg2_context_get(function, cg2_stack_active(stack, function));
   Addr return_address = exit->kind == EXIT_CALL ? exit->return_address : 0;
   push(cg2_graph_arc(exit, cg2_now.context, callee, block), sp,
        return_address);
}

static Bool is_of_current(const Block* block)
{
   const Function* current = cg2_now.context->function;
   return block->function ? block->function == current
                          : block->home == current;
}

static void arrive(Block* block, Addr sp)
{
   Exit* exit = cg2_now.exit;
   Bool left;
   Arc* arc = cg2_thread_leave(exit->kind, sp, &left);
   Arrival arrival = {.kind = exit->kind, .left_frames = left};
   if (cg2_now.context) {
      arrival.has_context = True;
      arrival.same_function = is_of_current(block);
      arrival.at_entry = block->is_entry;
      arrival.elsewhere = cg2_now.skipped_blocks ||
                          block->object != cg2_now.context->function->object;
   }
   switch (cg2_calls_classify(&arrival)) {
   case TRANSFER_START: start(block, sp); break;
   case TRANSFER_CALL: call(exit, block, sp); break;
   case TRANSFER_REPLACE: call(arc ? arc->exit : exit, block, sp); break;
   case TRANSFER_RESUME:
   case TRANSFER_STAY: break;
   }
}

VG_REGPARM(2) void cg2_probe_enter(Block* block, Addr sp)
{
   Exit* exit = cg2_now.exit;
   Bool usual = exit->kind == EXIT_CALL     ? called(exit, block, sp)
                : exit->kind == EXIT_RETURN ? returned(block, sp)
                                            : False;
   if (!usual) arrive(block, sp);
   /* Not every move inside an object stores its exit, so no later arrival may
      take this one for its own. */
   cg2_now.exit = &cg2_thread_no_exit;
   land(block);
}
