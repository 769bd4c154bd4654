/* What each context has cost, as readers find it in a profile.
 *
 * A *tally* has a vector of costs for each context, in the order of their
 * numbers. Skipped functions cost nothing, as their payers do; contexts that no
 * profile shows cost nothing, either. */
#ifndef CG2_TALLY_H
#define CG2_TALLY_H

#include "engine/context.h"
#include "engine/cost.h"

/* The vector of a context. */
static inline ULong* cg2_tally_of(ULong* tally, const Context* context)
{
   return tally + (SizeT)context->number * cg2_events.n;
}

/* What contexts have cost themselves. To be freed with VG_(free). */
ULong* cg2_tally_self(void);

/* What contexts have cost with all that they called: what arcs say, which were
 * flushed. A call of itself is part of the cost already; in a cycle, the sum of
 * a context's calls is an upper bound, and so is what the cycle costs: the
 * lower of the two is taken. `self` is the tally of today. To be freed with
 * VG_(free). */
ULong* cg2_tally_inclusive(ULong* self);

#endif
