#include "profile/hottest/ranking.h"

#include "profile/callgrind/selection.h"
#include "profile/hottest/tally.h"

/* What the last ranking found. Zeroing takes away from it what is forgotten, so
 * it may be below zero, modulo 2^64, as differences are. Reason for a mutable
 * file-scope object: one ranking follows another. */
static struct {
   ULong* self; /* a tally; NULL: there was no ranking */
   UInt n;      /* contexts that it has */
   UInt time;   /* in milliseconds */
} last;

void cg2_ranking_forget(void)
{
   if (last.self) VG_(free)(last.self);
   last.self = NULL;
   last.n = 0;
}

static void remember(const ULong* self, UInt now)
{
   SizeT n = (SizeT)cg2_context_count() * cg2_events.n;
   last.self = VG_(realloc)("cg2.ranking", last.self, (n + 1) * sizeof *self);
   VG_(memcpy)(last.self, self, n * sizeof *self);
   last.n = cg2_context_count();
   last.time = now;
}

/* Makes room for contexts that are newer than the last ranking. */
static void grow_last(void)
{
   SizeT n = (SizeT)last.n * cg2_events.n;
   SizeT all = (SizeT)cg2_context_count() * cg2_events.n;
   last.self =
      VG_(realloc)("cg2.ranking", last.self, (all + 1) * sizeof *last.self);
   VG_(memset)(last.self + n, 0, (all - n) * sizeof *last.self);
   last.n = cg2_context_count();
}

static void subtract(ULong* from, const ULong* what)
{
   for (UInt e = 0; e < cg2_events.n; e++)
      from[e] -= what[e];
}

void cg2_ranking_zero(UInt tid)
{
   if (!last.self) return;
   ULong* self = cg2_tally_self();
   grow_last();
   for (const Context* c = cg2_context_all(); c; c = c->next)
      if (!tid || c->separation->thread == tid)
         subtract(cg2_tally_of(last.self, c), cg2_tally_of(self, c));
   VG_(free)(self);
}

/*--- Functions ----------------------------------------------------------*/

static Int compare_addresses(const void* a, const void* b)
{
   return (UWord)a < (UWord)b ? -1 : (UWord)a > (UWord)b;
}

/* Contexts that share a place stand together, outermost ones first. */
static Int compare_places(const void* va, const void* vb)
{
   const Context* a = *(const Context* const*)va;
   const Context* b = *(const Context* const*)vb;
   Int order = compare_addresses(a->function, b->function);
   if (!order)
      order = compare_addresses(a->separation->callers, b->separation->callers);
   if (!order && a->min_active != b->min_active)
      order = a->min_active < b->min_active ? -1 : 1;
   return order ? order : a->number < b->number ? -1 : a->number > b->number;
}

static Bool share_place(const Context* a, const Context* b)
{
   return a->function == b->function &&
          a->separation->callers == b->separation->callers;
}

static Bool has_costs(const Ranking* r, const Context* c)
{
   return !cg2_cost_is_zero(cg2_tally_of(r->inclusive, c)) ||
          !cg2_cost_is_zero(cg2_tally_of(r->added_by, c));
}

/* The contexts that have costs, in the order of places; to be freed. */
static const Context** find_contexts(const Ranking* r, UInt* n)
{
   const Context** all = VG_(malloc)(
      "cg2.ranking", ((SizeT)cg2_context_count() + 1) * sizeof *all);
   *n = 0;
   for (const Context* c = cg2_context_all(); c; c = c->next)
      if (has_costs(r, c)) all[(*n)++] = c;
   if (*n) VG_(ssort)(all, *n, sizeof *all, compare_places);
   return all;
}

/* Adds what `c` has cost to the outermost context of its function. What inner
 * levels cost is part of what the outermost costs inclusively. */
static void put_together(Ranking* r, const Context* outermost, const Context* c)
{
   cg2_cost_add(cg2_tally_of(r->self, outermost), cg2_tally_of(r->self, c));
   cg2_cost_add(cg2_tally_of(r->added_by, outermost),
                cg2_tally_of(r->added_by, c));
   if (c->min_active == outermost->min_active)
      cg2_cost_add(cg2_tally_of(r->inclusive, outermost),
                   cg2_tally_of(r->inclusive, c));
}

static void add_function(Ranking* r, const Context* outermost)
{
   r->functions[r->n++] =
      (RankedFunction){.context = outermost,
                       .self = cg2_tally_of(r->self, outermost),
                       .added = cg2_tally_of(r->added_by, outermost),
                       .inclusive = cg2_tally_of(r->inclusive, outermost)};
}

static void find_functions(Ranking* r)
{
   UInt n;
   const Context** contexts = find_contexts(r, &n);
   r->functions =
      VG_(malloc)("cg2.ranking", ((SizeT)n + 1) * sizeof *r->functions);
   for (UInt i = 0; i < n; i++) {
      const Context* outermost = r->n ? r->functions[r->n - 1].context : NULL;
      if (outermost && share_place(outermost, contexts[i]))
         put_together(r, outermost, contexts[i]);
      else
         add_function(r, contexts[i]);
   }
   VG_(free)(contexts);
}

/*--- Order --------------------------------------------------------------*/

static Int compare_costs(ULong a, ULong b)
{
   return a > b ? -1 : a < b;
}

/* The costs begin with the event that counts. */
static Int compare_functions(const void* va, const void* vb)
{
   const RankedFunction *a = va, *b = vb;
   Int order = compare_costs(*a->added, *b->added);
   if (!order) order = compare_costs(*a->self, *b->self);
   return order ? order : cg2_selection_compare(a->context, b->context);
}

/* Lets the costs of all functions begin `by` events later. */
static void shift(Ranking* r, Int by)
{
   for (UInt i = 0; i < r->n; i++) {
      r->functions[i].self += by;
      r->functions[i].added += by;
   }
}

static void sort_functions(Ranking* r, UInt event)
{
   shift(r, event);
   if (r->n)
      VG_(ssort)(r->functions, r->n, sizeof *r->functions, compare_functions);
   shift(r, -(Int)event);
}

/*--- Ranking ------------------------------------------------------------*/

/* What came to `self` since the last ranking; to be freed. */
static ULong* find_added(const ULong* self)
{
   SizeT n = (SizeT)cg2_context_count() * cg2_events.n;
   SizeT n_last = (SizeT)last.n * cg2_events.n;
   ULong* added = VG_(malloc)("cg2.ranking", (n + 1) * sizeof *added);
   for (SizeT i = 0; i < n; i++)
      added[i] = self[i] - (i < n_last ? last.self[i] : 0);
   return added;
}

Ranking cg2_ranking_make(UInt event, UInt now)
{
   Ranking r = {.has_before = last.self != NULL,
                .milliseconds = now - last.time,
                .self = cg2_tally_self()};
   r.added_by = find_added(r.self);
   r.inclusive = cg2_tally_inclusive(r.self);
   remember(r.self, now);
   find_functions(&r);
   for (UInt i = 0; i < r.n; i++)
      cg2_cost_add(r.added.of, r.functions[i].added);
   sort_functions(&r, event);
   return r;
}

void cg2_ranking_free(Ranking* r)
{
   VG_(free)(r->functions);
   VG_(free)(r->self);
   VG_(free)(r->added_by);
   VG_(free)(r->inclusive);
}
