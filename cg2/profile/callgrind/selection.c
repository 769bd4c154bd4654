#include "profile/callgrind/selection.h"

/*--- Order --------------------------------------------------------------*/

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

Int cg2_selection_compare(const Context* a, const Context* b)
{
   Int order = compare_functions(a->function, b->function);
   if (!order) order = compare_words(a->min_active, b->min_active);
   if (!order) order = compare_names(a->name, b->name);
   return order ? order : compare_words(a->number, b->number);
}

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

static Bool is_of_thread(const Context* context, UInt tid)
{
   return !tid || context->separation->thread == tid;
}

static Bool is_shown(const Context* context, UInt tid)
{
   if (context->separation->is_off || context->separation->payer) return False;
   return is_of_thread(context, tid) &&
          (has_costs(context) || has_calls(context));
}

/* Appends a context to an array, which grows by doubling. */
static void
append(const Context*** all, UInt* n, UInt* capacity, const Context* context)
{
   if (*n == *capacity) {
      *capacity = *capacity ? 2 * *capacity : 1024;
      *all = VG_(realloc)("cg2.selection", *all, *capacity * sizeof **all);
   }
   (*all)[(*n)++] = context;
}

static Int compare_contexts(const void* a, const void* b)
{
   return cg2_selection_compare(*(const Context* const*)a,
                                *(const Context* const*)b);
}

const Context** cg2_selection_contexts(UInt* n, UInt tid)
{
   const Context** all = NULL;
   UInt capacity = 0;
   *n = 0;
   for (const Context* c = cg2_context_all(); c; c = c->next)
      if (is_shown(c, tid)) append(&all, n, &capacity, c);
   if (*n) VG_(ssort)(all, *n, sizeof *all, compare_contexts);
   return all;
}

ULong cg2_selection_count_blocks(UInt tid)
{
   ULong count = 0;
   for (const Context* c = cg2_context_all(); c; c = c->next)
      for (const Cells* cells = is_of_thread(c, tid) ? &c->own : NULL; cells;
           cells = cells->next)
         for (const Block* b = cells->home->blocks; b; b = b->next_of_home)
            count += cells->counts[b->slot];
   return count;
}

/*--- Skipped functions --------------------------------------------------*/

static Bool calls_skipped(const Arc* arc)
{
   return arc->count && arc->callee && arc->callee->separation->payer;
}

static Int compare_skipped(const void* va, const void* vb)
{
   const SkippedFunction *a = va, *b = vb;
   return compare_functions(a->function, b->function);
}

/* Sorts the entries and adds up those of one function. Returns how many remain.
 */
static UInt merge_skipped(SkippedFunction* all, UInt n)
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

/* Puts an entry for each arc to a skipped function into `all`, unless that is
 * NULL. Returns how many entries there are. */
static UInt find_skipped_calls(SkippedFunction* all, UInt tid)
{
   UInt n = 0;
   for (const Context* c = cg2_context_all(); c; c = c->next) {
      if (c->separation->is_off || !is_of_thread(c, tid)) continue;
      for (const Arc* arc = c->arcs; arc; arc = arc->next_of_caller) {
         if (!calls_skipped(arc)) continue;
         if (all) all[n] = (SkippedFunction){arc->callee->function, arc->count};
         n++;
      }
   }
   return n;
}

SkippedFunction* cg2_selection_skipped(UInt* n, UInt tid)
{
   UInt n_arcs = find_skipped_calls(NULL, tid);
   *n = 0;
   if (!n_arcs) return NULL;
   SkippedFunction* all = VG_(malloc)("cg2.selection", n_arcs * sizeof *all);
   find_skipped_calls(all, tid);
   *n = merge_skipped(all, n_arcs);
   return all;
}
