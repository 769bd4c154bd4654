/* What a part of the profile is about: contexts and skipped functions, in
 * order.
 *
 * The order depends on names and addresses alone, so two equal runs give equal
 * files. In all functions `tid` chooses the contexts of one thread; 0 stands
 * for all threads. */
#ifndef CG2_SELECTION_H
#define CG2_SELECTION_H

#include "engine/graph.h"

/* All contexts that a profile shows and that have costs or calls, sorted by
 * cg2_selection_compare. To be freed with VG_(free); NULL if *n is 0. */
const Context** cg2_selection_contexts(UInt* n, UInt tid);

/* The order of two contexts, as of a strcmp: by object, file, function name,
 * address, level and callers. */
Int cg2_selection_compare(const Context* a, const Context* b);

/* How often a skipped function was called. */
typedef struct SkippedFunction {
   const Function* function;
   ULong count;
} SkippedFunction;

/* All skipped functions that were called, in the order of contexts. To be freed
 * with VG_(free); NULL if *n is 0. */
SkippedFunction* cg2_selection_skipped(UInt* n, UInt tid);

/* How many blocks were executed. Stubs are left out: they are not in the graph.
 */
ULong cg2_selection_count_blocks(UInt tid);

#endif
