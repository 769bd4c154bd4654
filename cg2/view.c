#include "view.h"

/*--- Contexts -----------------------------------------------------------*/

static Bool has_costs(const Context* context)
{
   if (!cg2_cost_is_zero(&context->skipped)) return True;
   for (const Cells* cells = &context->own; cells; cells = cells->next)
      for (UInt i = 0; i < cells->n; i++)
         if (cells->counts[i]) return True;
   return False;
}

static Bool has_calls(const Context* context)
{
   for (const Arc* arc = context->arcs; arc; arc = arc->next_of_caller)
      if (arc->count || !cg2_cost_is_zero(&arc->skipped)) return True;
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

static Int compare_contexts(const void* va, const void* vb)
{
   const Context *a = *(const Context*const*)va, *b = *(const Context*const*)vb;
   const Function *f = a->function, *g = b->function;
   Int order = compare_names(f->object->name, g->object->name);
   if (!order)
      order = compare_words(f->object->text_size, g->object->text_size);
   if (!order) order = compare_names(f->file, g->file);
   if (!order) order = compare_names(f->name, g->name);
   if (!order) order = compare_words(f->offset, g->offset);
   if (!order) order = compare_words(a->min_active, b->min_active);
   if (!order) order = compare_names(a->name, b->name);
   return order ? order : compare_words(a->number, b->number);
}

const Context** cg2_view_contexts(UInt* n)
{
   const Context** all = NULL;
   UInt capacity = 0;
   *n = 0;
   for (const Context* c = cg2_context_all(); c; c = c->next) {
      if (c->separation->is_off || (!has_costs(c) && !has_calls(c))) continue;
      if (*n == capacity) {
         capacity = capacity ? 2 * capacity : 1024;
         all = VG_(realloc)("cg2.view", all, capacity * sizeof *all);
      }
      all[(*n)++] = c;
   }
   if (*n) VG_(ssort)(all, *n, sizeof *all, compare_contexts);
   return all;
}

ULong cg2_view_count_blocks(void)
{
   ULong count = 0;
   for (const Context* c = cg2_context_all(); c; c = c->next)
      for (const Cells* cells = &c->own; cells; cells = cells->next)
         for (const Block* b = cells->home->blocks; b; b = b->next_of_home)
            count += cells->counts[b->slot];
   return count;
}

/*--- Costs and calls of one context -------------------------------------*/

static ViewPosition position(const View* view, const Block* block, UInt instr)
{
   const Position* p = &block->positions[instr];
   return (ViewPosition){
      .instr = view->config.by_instr
                  ? block->offset + cg2_block_instrs(block)[instr]
                  : 0,
      .file = cg2_code.file_names.by_number[p->file],
      .line = view->config.by_line ? p->line : 0,
   };
}

ViewPosition cg2_view_entry(const View* view, const Function* f)
{
   return (ViewPosition){.instr = view->config.by_instr ? f->offset : 0,
                         .file = f->file,
                         .line = view->config.by_line ? f->line : 0};
}

static Bool is_same(const ViewPosition* a, const ViewPosition* b)
{
   return a->instr == b->instr && a->line == b->line && a->file == b->file;
}

static void add_cost(View* view, ViewPosition at, const Cost* cost)
{
   if (view->n_costs) {
      ViewCost* last = &view->costs[view->n_costs - 1];
      if (is_same(&last->at, &at)) {
         cg2_cost_add(&last->cost, cost);
         return;
      }
   }
   if (view->n_costs == view->max_costs) {
      view->max_costs = view->max_costs ? 2 * view->max_costs : 1024;
      view->costs = VG_(realloc)("cg2.view", view->costs,
                                 view->max_costs * sizeof *view->costs);
   }
   view->costs[view->n_costs++] = (ViewCost){.at = at, .cost = *cost};
}

static void add_block(View* view, const Block* block, const ULong* counts)
{
   UInt instr = 0;
   for (UInt s = 0; s < block->n_segments; s++) {
      UInt end = instr + cg2_block_segments(block)[s];
      Cost cost = {.of = {[EVENT_IR] = counts[s]}};
      for (; instr < end; instr++)
         if (counts[s]) add_cost(view, position(view, block, instr), &cost);
   }
}

static void add_costs(View* view, const Context* context)
{
   for (const Cells* cells = &context->own; cells; cells = cells->next)
      for (const Block* b = cells->home->blocks; b; b = b->next_of_home)
         add_block(view, b, &cells->counts[b->slot]);
}

/* Makes room for the calls of all arcs. Some functions call most others, so the
 * room is measured first and nothing is copied: peak memory is here. */
static void reserve_calls(View* view, const Context* context)
{
   UInt n = 0;
   for (const Arc* arc = context->arcs; arc; arc = arc->next_of_caller)
      n += arc->count != 0;
   if (n <= view->max_calls) return;
   if (view->calls) VG_(free)(view->calls);
   view->max_calls = n + n / 4;
   view->calls = VG_(malloc)("cg2.view", view->max_calls * sizeof *view->calls);
}

static void add_call(View* view, const Arc* arc)
{
   ViewPosition at = position(view, arc->exit->block, arc->exit->instr);
   if (!cg2_cost_is_zero(&arc->skipped)) add_cost(view, at, &arc->skipped);
   if (!arc->count) return;
   view->calls[view->n_calls++] = (ViewCall){
      .at = at,
      .callee = arc->callee,
      .count = arc->count,
      .inclusive = arc->inclusive,
   };
}

Int cg2_view_compare(const ViewPosition* a,
                     const ViewPosition* b,
                     const Name* own)
{
   Int order = compare_words(a->instr, b->instr);
   if (order) return order;
   if (a->file != b->file) {
      if (a->file == own) return -1;
      if (b->file == own) return 1;
      return compare_names(a->file, b->file);
   }
   return compare_words(a->line, b->line);
}

/* Reason for a mutable file-scope object: VG_(ssort) hands nothing through to
 * its comparison. The file of the function whose parts are being sorted. */
static const Name* sort_own;

static Int compare_costs(const void* a, const void* b)
{
   return cg2_view_compare(&((const ViewCost*)a)->at, &((const ViewCost*)b)->at,
                           sort_own);
}

static Int compare_calls(const void* va, const void* vb)
{
   const ViewCall *a = va, *b = vb;
   Int order = cg2_view_compare(&a->at, &b->at, sort_own);
   return order ? order : compare_contexts(&a->callee, &b->callee);
}

/* Adds neighbours at the same position up. */
static void merge_costs(View* view)
{
   UInt n = 0;
   for (UInt i = 0; i < view->n_costs; i++)
      if (n && is_same(&view->costs[n - 1].at, &view->costs[i].at))
         cg2_cost_add(&view->costs[n - 1].cost, &view->costs[i].cost);
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
      if (last && is_same(&last->at, &call->at) &&
          last->callee == call->callee) {
         last->count += call->count;
         cg2_cost_add(&last->inclusive, &call->inclusive);
      } else
         view->calls[n++] = *call;
   }
   view->n_calls = n;
}

void cg2_view_fill(View* view, const Context* context)
{
   view->context = context;
   view->n_costs = view->n_calls = 0;
   add_costs(view, context);
   if (!cg2_cost_is_zero(&context->skipped))
      add_cost(view, cg2_view_entry(view, context->function),
               &context->skipped);
   reserve_calls(view, context);
   for (const Arc* arc = context->arcs; arc; arc = arc->next_of_caller)
      add_call(view, arc);
   sort_own = context->function->file;
   if (view->n_costs)
      VG_(ssort)(view->costs, view->n_costs, sizeof *view->costs,
                 compare_costs);
   if (view->n_calls)
      VG_(ssort)(view->calls, view->n_calls, sizeof *view->calls,
                 compare_calls);
   merge_costs(view);
   merge_calls(view);
}

void cg2_view_free(View* view)
{
   if (view->costs) VG_(free)(view->costs);
   if (view->calls) VG_(free)(view->calls);
}
