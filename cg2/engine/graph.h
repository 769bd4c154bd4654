/* The call graph: arcs between contexts.
 *
 * An arc is a call site in one context and a context that was called there. The
 * arc has the number of calls, what they cost inclusively, and what was spent
 * on the way in stubs that the profile does not show (.plt). The cost of stubs
 * belongs to the caller, at the line of the call. */
#ifndef CG2_GRAPH_H
#define CG2_GRAPH_H

#include "engine/context.h"
#include "engine/cost.h"

typedef struct Arc {
   TableNode node;             /* key: exit, caller, callee */
   struct Arc* next_of_caller; /* an older arc of the same caller, or NULL */
   Exit* exit;                 /* NULL for a root */
   Context* callee; /* NULL: calls that never arrived; only stubs cost */
   /* What each call and return needs, in one line of the host's cache. */
   const Cells* cells; /* of callee and the home of where it arrived first;
                          NULL: nowhere yet */
   const Cells* caller_cells; /* of caller and the home of exit's block; NULL
                                 for a root */
   UInt* active;              /* callee->function->active */
   UInt min_active, span;     /* callee's; for a call of itself, all levels */
   ULong count;               /* how often the calls were made */
   ULong inclusive[]; /* what the calls cost; behind it, the cost of stubs */
} Arc;

/* What was spent in stubs on the way of the arc's calls. */

static inline ULong* cg2_arc_skipped(const Arc* arc)
{
   return (ULong*)arc->inclusive + cg2_events.n;
}

/* The context that calls; NULL for a root. */
static inline Context* cg2_arc_caller(const Arc* arc)
{
   return arc->caller_cells ? arc->caller_cells->context : NULL;
}

/* Whether a call by `arc` would enter arc->callee now, by its recursion level.
 */
static inline Bool cg2_arc_fits(const Arc* arc)
{
   return *arc->active - arc->min_active <= arc->span;
}

/* Makes an exit remember that `arc` was followed last. */
static inline void cg2_exit_remember(Exit* exit, Arc* arc)
{
   exit->recent = arc;
   exit->caller = exit->kind == EXIT_CALL ? arc->caller_cells : NULL;
}

/* The arc with this key, for a call that arrives at `target`. Made on first
 * use. exit->recent and target->recent remember the arc, unless it arrives in
 * another home than it did first. */
Arc* cg2_graph_arc(Exit* exit, Context* caller, Context* callee, Block* target);
/* The arc of a call that was made before anybody looked. Made on first use. */
Arc* cg2_graph_open(Exit* exit, Context* caller, Context* callee);
/* The arc between the twins of the arc's contexts. Made on first use. */
Arc* cg2_graph_twin(Arc* arc, Bool is_off);
/* The arc that has costs of stubs on the way of a call that never arrives. */
Arc* cg2_graph_lost(Exit* exit, Context* caller);
/* The cost of who pays for stubs on the way of `exit`, taken in context
 * `caller`, when control never arrives: a call, if `exit` belongs to a block;
 * else the context itself. NULL: there is no context. */
ULong* cg2_graph_payer(Exit* exit, Context* caller);
/* The arc by which nobody calls a root. */
Arc* cg2_graph_root(Context* callee);

/* How many arcs there are. */
UWord cg2_graph_count_arcs(void);
/* How many calls were made since the last zero. */
ULong cg2_graph_count_calls(void);

/* Sets every count and cost of thread `tid`, if threads are kept apart, or, for
 * 0, of all threads, to zero. All records stay. */
void cg2_graph_zero(UInt tid);

#endif
