#include "profile/callgrind/view.h"
#include "base/search.h"

#include "code/jump.h"

/*--- Costs --------------------------------------------------------------*/

static Position position(const View* view, const Block* block, UInt instr)
{
   return cg2_position_of_instr(&view->positions, block, instr);
}

/* A walk over the events of a block, in the order of its instructions. */
typedef struct Events {
   const BlockEvent *next, *end;
   const ULong* counter; /* of the next event that has a slot of its own */
} Events;

static Events events_of(const Block* block, const ULong* counts)
{
   const BlockEvent* first = cg2_block_events(block);
   return (Events){first, first + block->n_events, counts + block->n_segments};
}

/* Adds the events of an instruction to `cost`, and goes on to the next
 * instruction. `counts` begin with the executions of the instruction's segment.
 */
static void
add_events(Events* events, UInt instr, const ULong* counts, ULong* cost)
{
   for (; events->next < events->end && events->next->instr == instr;
        events->next++) {
      const BlockEvent* e = events->next;
      cost[e->event] +=
         e->times ? counts[e->late] * e->times : *events->counter++;
   }
}

static void add_block(View* view, const Block* block, const ULong* counts)
{
   UInt instr = 0;
   Events events = events_of(block, counts);
   Cost cost = {{0}};
   for (UInt s = 0; s < block->n_segments; s++) {
      UInt end = instr + cg2_block_segments(block)[s];
      for (; instr < end; instr++) {
         cg2_cost_clear(cost.of);
         cost.of[EVENT_IR] = counts[s];
         add_events(&events, instr, &counts[s], cost.of);
         if (cg2_cost_is_zero(cost.of)) continue;
         Position at = position(view, block, instr);
         cg2_items_add_cost(&view->items, &at, cost.of);
      }
   }
}

static void add_costs(View* view, const Context* context)
{
   for (const Cells* cells = &context->own; cells; cells = cells->next)
      for (const Block* b = cells->home->blocks; b; b = b->next_of_home)
         add_block(view, b, &cells->counts[b->slot]);
}

/*--- Calls --------------------------------------------------------------*/

/* A call of a skipped function is not shown, but what that function calls is.
 */
Bool cg2_view_shows_call(const Arc* arc)
{
   if (!arc->count || arc->callee->separation->payer) return False;
   return !(arc->callee == cg2_arc_caller(arc) &&
            arc->callee->function->rules->skips_direct_recursion);
}

static UInt count_calls(const Context* context)
{
   UInt n = 0;
   for (const Arc* arc = context->arcs; arc; arc = arc->next_of_caller)
      n += cg2_view_shows_call(arc);
   return n;
}

/* Adds what an arc says, at the position of the call. */
static void add_call(View* view, const Arc* arc, const Position* at)
{
   const ULong* skipped = cg2_arc_skipped(arc);
   if (!cg2_cost_is_zero(skipped))
      cg2_items_add_cost(&view->items, at, skipped);
   if (cg2_view_shows_call(arc)) cg2_items_add_call(&view->items, at, arc);
}

static Position position_of_exit(const View* view, const Exit* exit)
{
   return position(view, exit->block, exit->instr);
}

static void add_calls(View* view, const Context* context)
{
   for (const Arc* arc = context->arcs; arc; arc = arc->next_of_caller) {
      Position at = position_of_exit(view, arc->exit);
      add_call(view, arc, &at);
   }
}

/*--- Jumps --------------------------------------------------------------*/

/* The block that code of `from` jumped to, if the function of `context` ran it;
 * NULL if the jump was a call, or was never taken. */
static const Block*
jumped_to(const Context* context, const Block* from, PtrdiffT distance)
{
   const Block* target = cg2_block_at(from->object, from->offset + distance);
   if (!target) return NULL;
   Jump jump = cg2_jump_between(from, target);
   jump.to_itself = target->function == from->function ||
                    target->function == context->function;
   return cg2_jump_is_call(&jump) ? NULL : target;
}

/* Whether a jump over `distance` bytes from the start of `from` stays in one
 * unwind range: a computed jump is no call then. */
static Bool are_together(const Block* from, PtrdiffT distance)
{
   const UnwindRange* range = cg2_code_unwind_range(from->object, from->offset);
   return range &&
          range == cg2_code_unwind_range(from->object, from->offset + distance);
}

static void add_leaps(View* view, const Context* context)
{
   for (const Leap* leap = context->leaps; leap; leap = leap->next_of_context) {
      const Block* from = leap->exit->block;
      const Block* target =
         are_together(from, leap->target)
            ? cg2_block_at(from->object, from->offset + leap->target)
            : jumped_to(context, from, leap->target);
      if (!target || !leap->count) continue;
      JumpItem jump = {.at = position(view, from, leap->exit->instr),
                       .target = position(view, target, 0),
                       .executed = leap->count,
                       .taken = leap->count};
      cg2_items_add_jump(&view->items, &jump);
   }
}

/* Adds the jumps of a block whose targets are fixed. What was counted in front
 * of a jump and not behind it has jumped. */
static void add_jumps_of_block(View* view, const Block* b, const ULong* counts)
{
   UInt n_instrs = 0, last = b->n_targets - 1;
   ULong executed = 0; /* the instruction that may jump */
   for (UInt s = 0; s <= last; s++) {
      UInt length = cg2_block_segments(b)[s];
      Int distance = cg2_block_targets(b)[s];
      n_instrs += length;
      if (length) executed = counts[s];
      if (distance == NO_TARGET || !executed) continue;
      const Block* target = jumped_to(view->context, b, distance);
      if (!target) continue;
      ULong behind = s < last ? counts[s + 1] : 0;
      JumpItem jump = {.at = position(view, b, n_instrs - 1),
                       .target = position(view, target, 0),
                       .is_conditional = s < last || !length,
                       .executed = executed,
                       .taken = counts[s] > behind ? counts[s] - behind : 0};
      cg2_items_add_jump(&view->items, &jump);
   }
}

static void add_jumps(View* view, const Context* context)
{
   for (const Cells* cells = &context->own; cells; cells = cells->next)
      for (const Block* b = cells->home->blocks; b; b = b->next_of_home)
         if (b->n_targets) add_jumps_of_block(view, b, &cells->counts[b->slot]);
   add_leaps(view, context);
}

/*--- Skipped functions --------------------------------------------------*/

static Int compare_payers(const void* va, const void* vb)
{
   UWord a = (UWord)(*(const Context* const*)va)->separation->payer;
   UWord b = (UWord)(*(const Context* const*)vb)->separation->payer;
   return a < b ? -1 : a > b;
}

/* Puts the contexts of skipped functions into `all`, unless that is NULL.
 * Returns how many there are. */
static UInt collect_skipped(const Context** all)
{
   UInt n = 0;
   for (const Context* c = cg2_context_all(); c; c = c->next) {
      if (!c->separation->payer) continue;
      if (all) all[n] = c;
      n++;
   }
   return n;
}

static void find_skipped(View* view)
{
   UInt n = collect_skipped(NULL);
   view->skipped = VG_(malloc)("cg2.view", (n + 1) * sizeof *view->skipped);
   view->n_skipped = collect_skipped(view->skipped);
   if (n) VG_(ssort)(view->skipped, n, sizeof *view->skipped, compare_payers);
}

/* The index of the first context that `payer` pays for; the others follow. */
static UInt first_skipped(const View* view, const Context* payer)
{
   return cg2_search_first(i, 0, view->n_skipped,
                           (UWord)view->skipped[i]->separation->payer <
                              (UWord)payer);
}

static void add_cost_of_block(const Block* b, const ULong* counts, ULong* sum)
{
   UInt instr = 0;
   Events events = events_of(b, counts);
   for (UInt s = 0; s < b->n_segments; s++) {
      UInt n = cg2_block_segments(b)[s];
      sum[EVENT_IR] += counts[s] * n;
      for (UInt end = instr + n; instr < end; instr++)
         add_events(&events, instr, &counts[s], sum);
   }
}

Cost cg2_view_self_cost(const Context* context)
{
   Cost sum = {{0}};
   if (context->skipped) cg2_cost_add(sum.of, context->skipped);
   for (const Cells* cells = &context->own; cells; cells = cells->next)
      for (const Block* b = cells->home->blocks; b; b = b->next_of_home)
         add_cost_of_block(b, &cells->counts[b->slot], sum.of);
   return sum;
}

/* Adds all that a skipped function costs and calls, where it was called. */
static void add_skipped(View* view, const Context* skipped)
{
   Position at = position_of_exit(view, skipped->separation->payer_exit);
   Cost cost = cg2_view_self_cost(skipped);
   if (!cg2_cost_is_zero(cost.of))
      cg2_items_add_cost(&view->items, &at, cost.of);
   for (const Arc* arc = skipped->arcs; arc; arc = arc->next_of_caller)
      add_call(view, arc, &at);
}

/*--- All items ----------------------------------------------------------*/

/* Adds the costs of stubs on the way into the context by no call. */
static void add_entry_cost(View* view, const Context* context)
{
   if (!context->skipped || cg2_cost_is_zero(context->skipped)) return;
   Position at = cg2_position_of_entry(&view->positions, context->function);
   cg2_items_add_cost(&view->items, &at, context->skipped);
}

void cg2_view_fill(View* view, const Context* context)
{
   if (!view->skipped) find_skipped(view);
   UInt first = first_skipped(view, context), end = first;
   UInt n_calls = count_calls(context);
   for (; end < view->n_skipped &&
          view->skipped[end]->separation->payer == context;
        end++)
      n_calls += count_calls(view->skipped[end]);
   view->context = context;
   cg2_items_clear(&view->items, n_calls);
   add_costs(view, context);
   add_entry_cost(view, context);
   add_calls(view, context);
   for (UInt i = first; i < end; i++)
      add_skipped(view, view->skipped[i]);
   add_jumps(view, context);
   cg2_items_sort(&view->items, context->function->file);
}

void cg2_view_free(View* view)
{
   cg2_items_free(&view->items);
   if (view->skipped) VG_(free)(view->skipped);
}
