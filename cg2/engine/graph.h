/* The call graph: arcs between contexts.
 *
 * An arc is one call site in one context and the context that it called. It
 * holds how often, what the calls cost inclusively, and what was spent on the
 * way there in stubs that the profile does not show (.plt); that cost belongs
 * to the caller, at the line of the call. */
#ifndef CG2_GRAPH_H
#define CG2_GRAPH_H

#include "engine/context.h"
#include "engine/cost.h"

typedef struct Arc {
   TableNode node; /* key: exit, caller, callee */
   struct Arc* next_of_caller;
   Exit* exit;      /* NULL for a root */
   Context* callee; /* NULL: stub cost of a call that never arrived */
   /* What each call and return needs, in one cache line. */
   const Cells* cells;        /* of callee and the home of where it arrived */
   const Cells* caller_cells; /* of caller and the home of exit's block; NULL
                                 for a root */
   UInt* active;              /* the callee's function's */
   UInt min_active, span;     /* as the callee's */
   ULong count;
   ULong inclusive[]; /* costs; behind them those that were skipped in stubs */
} Arc;

static inline ULong* cg2_arc_skipped(const Arc* arc)
{
   return (ULong*)arc->inclusive + cg2_event_count;
}

/* NULL for a root. */
static inline Context* cg2_arc_caller(const Arc* arc)
{
   return arc->caller_cells ? arc->caller_cells->context : NULL;
}

/* Whether a call by `arc` would now enter its callee, at its recursion level.
 */
static inline Bool cg2_arc_fits(const Arc* arc)
{
   return *arc->active - arc->min_active <= arc->span;
}

/* The arc with this key, made on first use, for a call that arrives at
 * `target`. Also leaves it in exit->recent and target->recent. */
Arc* cg2_graph_arc(Exit* exit, Context* caller, Context* callee, Block* target);
/* The arc of a call that was made before it was seen, to callee's own home. */
Arc* cg2_graph_open(Exit* exit, Context* caller, Context* callee);
/* The same arc between the twins of its contexts. */
Arc* cg2_graph_twin(Arc* arc, Bool is_off);
/* The arc that has costs of stubs on the way of a call that never arrives. */
Arc* cg2_graph_lost(Exit* exit, Context* caller);
/* The cost of who pays for stubs on the way of `exit`, taken in context
 * `caller`, when control never arrives: a call, if `exit` belongs to a block;
 * else the context itself. NULL: there is no context. */
ULong* cg2_graph_payer(Exit* exit, Context* caller);
/* The arc by which nobody calls a root. */
Arc* cg2_graph_root(Context* callee);

UWord cg2_graph_count_arcs(void);
/* Made since the last zero. */
ULong cg2_graph_count_calls(void);

/* Forgets every count and cost of thread `tid`, if threads are kept apart, or,
 * for 0, of all. Keeps all records. */
void cg2_graph_zero(UInt tid);

#endif
