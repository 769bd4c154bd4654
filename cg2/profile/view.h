/* The graph as a profile shows it: sorted, added up, read only.
 *
 * A walk: cg2_view_contexts once, then cg2_view_fill for each context. Blocks
 * must have their positions resolved. The order depends on names and positions
 * alone, so two equal runs give equal files. */
#ifndef CG2_VIEW_H
#define CG2_VIEW_H

#include "engine/graph.h"
#include "profile/position.h"

/* Self cost at one position. */
typedef struct ViewCost {
   Position at;
   UInt self; /* costs: see cg2_view_vector */
} ViewCost;

/* All calls from one position to one context. */
typedef struct ViewCall {
   Position at;
   const Context* callee;
   ULong count;
   UInt inclusive; /* costs: see cg2_view_vector */
} ViewCall;

/* All jumps from one position to another that are no calls, and were taken. An
 * instruction that jumps also counts as executed when it does not. */
typedef struct ViewJump {
   Position at, target;
   Bool is_conditional;
   ULong executed, taken; /* equal unless it is conditional */
} ViewJump;

/* The costs, calls and jumps of one context, each sorted by position with the
 * function's own file first. The arrays are reused from context to context. */
typedef struct View {
   PositionConfig positions;
   const Context* context;
   ViewCost* costs;
   UInt n_costs, max_costs;
   ViewCall* calls;
   UInt n_calls, max_calls;
   ViewJump* jumps; /* if they are collected */
   UInt n_jumps, max_jumps;
   const Context** skipped; /* those of skipped functions; NULL until looked for
                             */
   UInt n_skipped;
   ULong* vectors; /* of costs, one behind the other */
   UInt n_vectors, max_vectors;
} View;

/* Valid until the next cg2_view_fill. */
static inline ULong* cg2_view_vector(const View* view, UInt number)
{
   return view->vectors + (SizeT)number * cg2_event_count;
}

/* All contexts of thread `tid`, or, for 0, of all, that a profile shows and
 * that have costs or calls, sorted by object, file, function name, address,
 * level and callers. To be freed with VG_(free). */
const Context** cg2_view_contexts(UInt* n, UInt tid);

void cg2_view_fill(View* view, const Context* context);
void cg2_view_free(View* view);

/* How often a skipped function was called. */
typedef struct ViewSkipped {
   const Function* function;
   ULong count;
} ViewSkipped;

/* Those that thread `tid`, or, for 0, any called, in the order of contexts. To
 * be freed with VG_(free), or NULL. */
ViewSkipped* cg2_view_skipped(UInt* n, UInt tid);

/* Executions of blocks by thread `tid`, or, for 0, by all, stubs left out: they
 * are not in the graph. */
ULong cg2_view_count_blocks(UInt tid);

#endif
