#include "profile/view.h"

#include "code/jump.h"

/*--- Contexts -----------------------------------------------------------*/

static Bool has_costs(const Context* context)
{
   if (context->skipped && !cg2_cost_is_zero(context->skipped)) return True;
   for (const Cells* cells = &context->own; cells; cells = cells->next)
      for (UInt i = 0; i < cells->n; i++)
         if (cells->counts[i]) return True;
   return False;
}

static Bool has_calls(const Context* context)
{
   for (const Arc* arc = context->arcs; arc; arc = arc->next_of_caller)
      if (arc->count || !cg2_cost_is_zero(cg2_arc_skipped(arc))) return True;
   return False;
}

static Int compare_names(const Name* a, const Name* b)
{
   return a == b ? 0 : VG_(strcmp)(a->text, b->text);
}

static Int compare_words(UWord a, UWord b)
{
   return a < b ? -1 : a > b;
}

static Int compare_functions(const Function* f, const Function* g)
{
   Int order = compare_names(f->object->name, g->object->name);
   if (!order)
      order = compare_words(f->object->text_size, g->object->text_size);
   if (!order) order = compare_names(f->file, g->file);
   if (!order) order = compare_names(f->name, g->name);
   return order ? order : compare_words(f->offset, g->offset);
}

static Int compare_contexts(const void* va, const void* vb)
{
   const Context *a = *(const Context*const*)va, *b = *(const Context*const*)vb;
   Int order = compare_functions(a->function, b->function);
   if (!order) order = compare_words(a->min_active, b->min_active);
   if (!order) order = compare_names(a->name, b->name);
   return order ? order : compare_words(a->number, b->number);
}

/* Grows by doubling. */
static void
append(const Context*** all, UInt* n, UInt* capacity, const Context* context)
{
   if (*n == *capacity) {
      *capacity = *capacity ? 2 * *capacity : 1024;
      *all = VG_(realloc)("cg2.view", *all, *capacity * sizeof **all);
   }
   (*all)[(*n)++] = context;
}

static Bool is_of_thread(const Context* context, UInt tid)
{
   return !tid || context->separation->thread == tid;
}

const Context** cg2_view_contexts(UInt* n, UInt tid)
{
   const Context** all = NULL;
   UInt capacity = 0;
   *n = 0;
   for (const Context* c = cg2_context_all(); c; c = c->next) {
      if (c->separation->is_off || c->separation->payer) continue;
      if (is_of_thread(c, tid) && (has_costs(c) || has_calls(c)))
         append(&all, n, &capacity, c);
   }
   if (*n) VG_(ssort)(all, *n, sizeof *all, compare_contexts);
   return all;
}

ULong cg2_view_count_blocks(UInt tid)
{
   ULong count = 0;
   for (const Context* c = cg2_context_all(); c; c = c->next)
      for (const Cells* cells = is_of_thread(c, tid) ? &c->own : NULL; cells;
           cells = cells->next)
         for (const Block* b = cells->home->blocks; b; b = b->next_of_home)
            count += cells->counts[b->slot];
   return count;
}

/*--- Costs and calls of one context -------------------------------------*/

static Position position(const View* view, const Block* block, UInt instr)
{
   return cg2_position_of_instr(&view->positions, block, instr);
}

static UInt add_vector(View* view, const ULong* cost)
{
   if (view->n_vectors == view->max_vectors) {
      view->max_vectors = view->max_vectors ? 2 * view->max_vectors : 1024;
      view->vectors = VG_(realloc)("cg2.view", view->vectors,
                                   (SizeT)view->max_vectors * cg2_event_count *
                                      sizeof *view->vectors);
   }
   cg2_cost_copy(cg2_view_vector(view, view->n_vectors), cost);
   return view->n_vectors++;
}

static void add_cost(View* view, Position at, const ULong* cost)
{
   if (view->n_costs) {
      ViewCost* last = &view->costs[view->n_costs - 1];
      if (cg2_position_is_same(&last->at, &at)) {
         cg2_cost_add(cg2_view_vector(view, last->self), cost);
         return;
      }
   }
   if (view->n_costs == view->max_costs) {
      view->max_costs = view->max_costs ? 2 * view->max_costs : 1024;
      view->costs = VG_(realloc)("cg2.view", view->costs,
                                 view->max_costs * sizeof *view->costs);
   }
   view->costs[view->n_costs++] =
      (ViewCost){.at = at, .self = add_vector(view, cost)};
}

/* The events of a block, in the order of its instructions. */
typedef struct Events {
   const BlockEvent *next, *end;
   const ULong* counter; /* of the next that is counted */
} Events;

static Events events_of(const Block* block, const ULong* counts)
{
   const BlockEvent* first = cg2_block_events(block);
   return (Events){first, first + block->n_events, counts + block->n_segments};
}

/* Adds to `cost` those of an instruction in a segment with these counts; the
 * next one's follow. */
static void
take_events(Events* events, UInt instr, const ULong* counts, ULong* cost)
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
         take_events(&events, instr, &counts[s], cost.of);
         if (!cg2_cost_is_zero(cost.of))
            add_cost(view, position(view, block, instr), cost.of);
      }
   }
}

static void add_costs(View* view, const Context* context)
{
   for (const Cells* cells = &context->own; cells; cells = cells->next)
      for (const Block* b = cells->home->blocks; b; b = b->next_of_home)
         add_block(view, b, &cells->counts[b->slot]);
}

/* Whether it is shown as a call. One of a skipped function is not, but what
 * that calls is. */
static Bool is_shown(const Arc* arc)
{
   if (!arc->count || arc->callee->separation->payer) return False;
   return !(arc->callee == cg2_arc_caller(arc) &&
            arc->callee->function->rules->skips_direct_recursion);
}

static UInt count_calls(const Context* context)
{
   UInt n = 0;
   for (const Arc* arc = context->arcs; arc; arc = arc->next_of_caller)
      n += is_shown(arc);
   return n;
}

/* Makes room for that many calls. Some functions call most others, so the room
 * is measured first and nothing is copied: peak memory is here. */
static void reserve_calls(View* view, UInt n)
{
   if (n <= view->max_calls) return;
   if (view->calls) VG_(free)(view->calls);
   view->max_calls = n + n / 4;
   view->calls = VG_(malloc)("cg2.view", view->max_calls * sizeof *view->calls);
}

static void add_call(View* view, const Arc* arc, Position at)
{
   const ULong* skipped = cg2_arc_skipped(arc);
   if (!cg2_cost_is_zero(skipped)) add_cost(view, at, skipped);
   if (!is_shown(arc)) return;
   view->calls[view->n_calls++] = (ViewCall){
      .at = at,
      .callee = arc->callee,
      .count = arc->count,
      .inclusive = add_vector(view, arc->inclusive),
   };
}

static Position position_of_exit(const View* view, const Exit* exit)
{
   return position(view, exit->block, exit->instr);
}

static void add_calls(View* view, const Context* context)
{
   for (const Arc* arc = context->arcs; arc; arc = arc->next_of_caller)
      add_call(view, arc, position_of_exit(view, arc->exit));
}

/*--- Jumps --------------------------------------------------------------*/

static void add_jump(View* view, const ViewJump* jump)
{
   if (view->n_jumps == view->max_jumps) {
      view->max_jumps = view->max_jumps ? 2 * view->max_jumps : 1024;
      view->jumps = VG_(realloc)("cg2.view", view->jumps,
                                 view->max_jumps * sizeof *view->jumps);
   }
   view->jumps[view->n_jumps++] = *jump;
}

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

/* Whether they are in one unwind range: a computed jump is no call then. */
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
      ViewJump jump = {.at = position(view, from, leap->exit->instr),
                       .target = position(view, target, 0),
                       .executed = leap->count,
                       .taken = leap->count};
      add_jump(view, &jump);
   }
}

/* What was counted in front of a jump and not behind it has jumped. */
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
      ViewJump jump = {.at = position(view, b, n_instrs - 1),
                       .target = position(view, target, 0),
                       .is_conditional = s < last || !length,
                       .executed = executed,
                       .taken = counts[s] > behind ? counts[s] - behind : 0};
      add_jump(view, &jump);
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
   const Context *a = *(const Context*const*)va, *b = *(const Context*const*)vb;
   return compare_words((UWord)a->separation->payer,
                        (UWord)b->separation->payer);
}

static void find_skipped(View* view)
{
   UInt capacity = 0;
   append(&view->skipped, &view->n_skipped, &capacity, NULL);
   view->n_skipped = 0;
   for (const Context* c = cg2_context_all(); c; c = c->next)
      if (c->separation->payer)
         append(&view->skipped, &view->n_skipped, &capacity, c);
   if (view->n_skipped)
      VG_(ssort)(view->skipped, view->n_skipped, sizeof *view->skipped,
                 compare_payers);
}

/* The first one that `payer` pays for; those behind it follow. */
static UInt first_skipped(const View* view, const Context* payer)
{
   UInt low = 0, high = view->n_skipped;
   while (low < high) {
      UInt middle = (low + high) / 2;
      if ((UWord)view->skipped[middle]->separation->payer < (UWord)payer)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

static void add_cost_of_block(const Block* b, const ULong* counts, ULong* sum)
{
   UInt instr = 0;
   Events events = events_of(b, counts);
   for (UInt s = 0; s < b->n_segments; s++) {
      UInt n = cg2_block_segments(b)[s];
      sum[EVENT_IR] += counts[s] * n;
      for (UInt end = instr + n; instr < end; instr++)
         take_events(&events, instr, &counts[s], sum);
   }
}

static Cost self_cost(const Context* context)
{
   Cost sum = {{0}};
   if (context->skipped) cg2_cost_add(sum.of, context->skipped);
   for (const Cells* cells = &context->own; cells; cells = cells->next)
      for (const Block* b = cells->home->blocks; b; b = b->next_of_home)
         add_cost_of_block(b, &cells->counts[b->slot], sum.of);
   return sum;
}

/* All that a skipped function costs and calls is where it was called. */
static void add_skipped(View* view, const Context* skipped)
{
   Position at = position_of_exit(view, skipped->separation->payer_exit);
   Cost cost = self_cost(skipped);
   if (!cg2_cost_is_zero(cost.of)) add_cost(view, at, cost.of);
   for (const Arc* arc = skipped->arcs; arc; arc = arc->next_of_caller)
      add_call(view, arc, at);
}

static Bool calls_skipped(const Arc* arc)
{
   return arc->count && arc->callee && arc->callee->separation->payer;
}

static Int compare_skipped(const void* va, const void* vb)
{
   const ViewSkipped *a = va, *b = vb;
   return compare_functions(a->function, b->function);
}

/* Sorts, and adds those of one function up. Returns how many remain. */
static UInt merge_skipped(ViewSkipped* all, UInt n)
{
   UInt n_merged = 0;
   VG_(ssort)(all, n, sizeof *all, compare_skipped);
   for (UInt i = 0; i < n; i++)
      if (n_merged && all[n_merged - 1].function == all[i].function)
         all[n_merged - 1].count += all[i].count;
      else
         all[n_merged++] = all[i];
   return n_merged;
}

/* Puts an entry for each arc into `all`, unless that is NULL. Returns how many
 * there are. */
static UInt find_skipped_calls(ViewSkipped* all, UInt tid)
{
   UInt n = 0;
   for (const Context* c = cg2_context_all(); c; c = c->next) {
      if (c->separation->is_off || !is_of_thread(c, tid)) continue;
      for (const Arc* arc = c->arcs; arc; arc = arc->next_of_caller) {
         if (!calls_skipped(arc)) continue;
         if (all) all[n] = (ViewSkipped){arc->callee->function, arc->count};
         n++;
      }
   }
   return n;
}

ViewSkipped* cg2_view_skipped(UInt* n, UInt tid)
{
   UInt n_arcs = find_skipped_calls(NULL, tid);
   *n = 0;
   if (!n_arcs) return NULL;
   ViewSkipped* all = VG_(malloc)("cg2.view", n_arcs * sizeof *all);
   find_skipped_calls(all, tid);
   *n = merge_skipped(all, n_arcs);
   return all;
}

/*--- All in order -------------------------------------------------------*/

/* Reason for a mutable file-scope object: VG_(ssort) hands nothing through to
 * its comparison. The file of the function whose parts are being sorted. */
static const Name* sort_own;

static Int compare_costs(const void* a, const void* b)
{
   return cg2_position_compare(&((const ViewCost*)a)->at,
                               &((const ViewCost*)b)->at, sort_own);
}

static Int compare_calls(const void* va, const void* vb)
{
   const ViewCall *a = va, *b = vb;
   Int order = cg2_position_compare(&a->at, &b->at, sort_own);
   return order ? order : compare_contexts(&a->callee, &b->callee);
}

static Int compare_jumps(const void* va, const void* vb)
{
   const ViewJump *a = va, *b = vb;
   Int order = cg2_position_compare(&a->at, &b->at, sort_own);
   if (!order) order = cg2_position_compare(&a->target, &b->target, sort_own);
   return order ? order : compare_words(a->is_conditional, b->is_conditional);
}

/* Adds neighbours at the same position up. */
static void merge_costs(View* view)
{
   UInt n = 0;
   for (UInt i = 0; i < view->n_costs; i++)
      if (n && cg2_position_is_same(&view->costs[n - 1].at, &view->costs[i].at))
         cg2_cost_add(cg2_view_vector(view, view->costs[n - 1].self),
                      cg2_view_vector(view, view->costs[i].self));
      else
         view->costs[n++] = view->costs[i];
   view->n_costs = n;
}

static void merge_calls(View* view)
{
   UInt n = 0;
   for (UInt i = 0; i < view->n_calls; i++) {
      const ViewCall* call = &view->calls[i];
      ViewCall* last = n ? &view->calls[n - 1] : NULL;
      if (last && cg2_position_is_same(&last->at, &call->at) &&
          last->callee == call->callee) {
         last->count += call->count;
         cg2_cost_add(cg2_view_vector(view, last->inclusive),
                      cg2_view_vector(view, call->inclusive));
      } else
         view->calls[n++] = *call;
   }
   view->n_calls = n;
}

static Bool is_same_jump(const ViewJump* a, const ViewJump* b)
{
   return cg2_position_is_same(&a->at, &b->at) &&
          cg2_position_is_same(&a->target, &b->target) &&
          a->is_conditional == b->is_conditional;
}

static void drop_jumps_not_taken(View* view)
{
   UInt n = 0;
   for (UInt i = 0; i < view->n_jumps; i++)
      if (view->jumps[i].taken) view->jumps[n++] = view->jumps[i];
   view->n_jumps = n;
}

static void merge_jumps(View* view)
{
   UInt n = 0;
   for (UInt i = 0; i < view->n_jumps; i++) {
      const ViewJump* jump = &view->jumps[i];
      ViewJump* last = n ? &view->jumps[n - 1] : NULL;
      if (last && is_same_jump(last, jump)) {
         last->executed += jump->executed;
         last->taken += jump->taken;
      } else
         view->jumps[n++] = *jump;
   }
   view->n_jumps = n;
   drop_jumps_not_taken(view);
}

static void sort(View* view)
{
   sort_own = view->context->function->file;
   if (view->n_costs)
      VG_(ssort)(view->costs, view->n_costs, sizeof *view->costs,
                 compare_costs);
   if (view->n_calls)
      VG_(ssort)(view->calls, view->n_calls, sizeof *view->calls,
                 compare_calls);
   if (view->n_jumps)
      VG_(ssort)(view->jumps, view->n_jumps, sizeof *view->jumps,
                 compare_jumps);
}

void cg2_view_fill(View* view, const Context* context)
{
   view->context = context;
   view->n_costs = view->n_calls = view->n_jumps = view->n_vectors = 0;
   if (!view->skipped) find_skipped(view);
   UInt first = first_skipped(view, context), end = first;
   UInt n_calls = count_calls(context);
   for (; end < view->n_skipped &&
          view->skipped[end]->separation->payer == context;
        end++)
      n_calls += count_calls(view->skipped[end]);
   reserve_calls(view, n_calls);
   add_costs(view, context);
   if (context->skipped && !cg2_cost_is_zero(context->skipped))
      add_cost(view, cg2_position_of_entry(&view->positions, context->function),
               context->skipped);
   add_calls(view, context);
   for (UInt i = first; i < end; i++)
      add_skipped(view, view->skipped[i]);
   add_jumps(view, context);
   sort(view);
   merge_costs(view);
   merge_calls(view);
   merge_jumps(view);
}

void cg2_view_free(View* view)
{
   if (view->vectors) VG_(free)(view->vectors);
   if (view->costs) VG_(free)(view->costs);
   if (view->calls) VG_(free)(view->calls);
   if (view->jumps) VG_(free)(view->jumps);
   if (view->skipped) VG_(free)(view->skipped);
}
