/* The call graph: arcs between contexts.
 *
 * An arc is one call site in one context and the context that it called. It
 * holds how often, what the calls cost inclusively, and what was spent on the
 * way there in stubs that the profile does not show (.plt); that cost belongs
 * to the caller, at the line of the call. */
#ifndef CG2_GRAPH_H
#define CG2_GRAPH_H

#include "context.h"
#include "event.h"

typedef struct Arc {
   TableNode node; /* key: exit, caller, callee */
   struct Arc* next_of_caller;
   Exit* exit; /* NULL for a root */
   /* What each call needs. */
   Context* caller;     /* NULL for a root */
   Context* callee;     /* NULL: stub cost of a call that never arrived */
   const Block* target; /* where the last such call arrived */
   const Cells* cells;  /* of callee and the home of target */
   UInt* active;        /* the callee's function's */
   ULong count;
   Cost inclusive;
   Cost skipped;
} Arc;

/* The arc with this key, made on first use, for a call that arrives at
 * `target`. Also leaves it in exit->recent and target->recent. */
Arc* cg2_graph_arc(Exit* exit, Context* caller, Context* callee, Block* target);
/* The arc that takes stub costs of calls that never arrive. */
Arc* cg2_graph_lost(Exit* exit, Context* caller);
/* The arc by which nobody calls a root. */
Arc* cg2_graph_root(Context* callee);

/* Forgets every count and cost, keeps all records. */
void cg2_graph_zero(void);

#endif
