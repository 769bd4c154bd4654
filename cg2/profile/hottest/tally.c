#include "profile/hottest/tally.h"

#include "profile/callgrind/view.h"
#include "profile/hottest/cycles.h"

static ULong* new_tally(void)
{
   SizeT n = (SizeT)cg2_context_count() * cg2_events.n;
   return VG_(calloc)("cg2.tally", n + 1, sizeof(ULong));
}

/* The context that a profile shows the costs of `context` in; NULL: none. */
static const Context* shown(const Context* context)
{
   const Context* payer = context->separation->payer;
   if (payer) context = payer;
   return context->separation->is_off ? NULL : context;
}

/*--- Self cost ----------------------------------------------------------*/

static void add_self(ULong* sum, const Context* context)
{
   Cost cost = cg2_view_self_cost(context);
   cg2_cost_add(sum, cost.of);
   for (const Arc* arc = context->arcs; arc; arc = arc->next_of_caller)
      cg2_cost_add(sum, cg2_arc_skipped(arc));
}

ULong* cg2_tally_self(void)
{
   ULong* self = new_tally();
   for (const Context* c = cg2_context_all(); c; c = c->next)
      if (shown(c)) add_self(cg2_tally_of(self, shown(c)), c);
   return self;
}

/*--- Calls --------------------------------------------------------------*/

/* Whether an arc of `context`, or of one that it pays for, is a call of another
 * context. */
static Bool is_call(const Arc* arc, const Context* context)
{
   return cg2_view_shows_call(arc) && arc->callee != context;
}

/* Adds to `n` of each context how many calls it has. */
static void count_calls(UInt* n)
{
   for (const Context* c = cg2_context_all(); c; c = c->next) {
      const Context* caller = shown(c);
      if (!caller) continue;
      for (const Arc* arc = c->arcs; arc; arc = arc->next_of_caller)
         n[caller->number] += is_call(arc, caller);
   }
}

/* Puts each call where next[] of its caller says. */
static void place_calls(const Arc** arcs, UInt* next)
{
   for (const Context* c = cg2_context_all(); c; c = c->next) {
      const Context* caller = shown(c);
      if (!caller) continue;
      for (const Arc* arc = c->arcs; arc; arc = arc->next_of_caller)
         if (is_call(arc, caller)) arcs[next[caller->number]++] = arc;
   }
}

/* While calls are counted and placed, first[c + 2] and then first[c + 1] is for
 * context c. */
static CycleCalls find_calls(void)
{
   CycleCalls calls = {.n = cg2_context_count()};
   calls.first =
      VG_(calloc)("cg2.tally", (SizeT)calls.n + 3, sizeof *calls.first);
   count_calls(calls.first + 2);
   for (UInt c = 2; c < calls.n + 2; c++)
      calls.first[c] += calls.first[c - 1];
   calls.arcs = VG_(malloc)("cg2.tally", ((SizeT)calls.first[calls.n + 1] + 1) *
                                            sizeof *calls.arcs);
   place_calls(calls.arcs, calls.first + 1);
   return calls;
}

static void free_calls(CycleCalls* calls)
{
   VG_(free)(calls->first);
   VG_(free)(calls->arcs);
}

/*--- Inclusive cost -----------------------------------------------------*/

static ULong* at(ULong* vectors, UInt i)
{
   return vectors + (SizeT)i * cg2_events.n;
}

static void add_calls(ULong* inclusive, const CycleCalls* calls)
{
   for (UInt c = 0; c < calls->n; c++)
      for (UInt i = calls->first[c]; i < calls->first[c + 1]; i++)
         cg2_cost_add(at(inclusive, c), calls->arcs[i]->inclusive);
}

/* What cycles have cost: their members themselves, and calls that leave. */
static ULong*
cycle_costs(ULong* self, const CycleCalls* calls, const UInt* cycle)
{
   ULong* costs = VG_(calloc)("cg2.tally", ((SizeT)calls->n + 1) * cg2_events.n,
                              sizeof *costs);
   for (UInt c = 0; c < calls->n; c++) {
      cg2_cost_add(at(costs, cycle[c]), at(self, c));
      for (UInt i = calls->first[c]; i < calls->first[c + 1]; i++)
         if (cycle[calls->arcs[i]->callee->number] != cycle[c])
            cg2_cost_add(at(costs, cycle[c]), calls->arcs[i]->inclusive);
   }
   return costs;
}

static void limit(ULong* cost, const ULong* most)
{
   for (UInt e = 0; e < cg2_events.n; e++)
      if (most[e] < cost[e]) cost[e] = most[e];
}

/* For a context that is alone in its cycle, the cycle costs the same. */
static void
limit_to_cycles(ULong* inclusive, ULong* self, const CycleCalls* calls)
{
   UInt* cycle = cg2_cycles_find(calls);
   ULong* costs = cycle_costs(self, calls, cycle);
   for (UInt c = 0; c < calls->n; c++)
      limit(at(inclusive, c), at(costs, cycle[c]));
   VG_(free)(costs);
   VG_(free)(cycle);
}

ULong* cg2_tally_inclusive(ULong* self)
{
   CycleCalls calls = find_calls();
   ULong* inclusive = new_tally();
   VG_(memcpy)(inclusive, self,
               (SizeT)calls.n * cg2_events.n * sizeof *inclusive);
   add_calls(inclusive, &calls);
   limit_to_cycles(inclusive, self, &calls);
   free_calls(&calls);
   return inclusive;
}
