/* Chains of tail calls without end, as interpreters make that jump from each
 * operation to the next.
 *
 * All calls of a chain return at the same moment, T. A call that began at s
 * costs T - s; n calls by one arc, of which each began at some s, cost n * T
 * less the sum of all s. So they need not be told apart: when a stack is full
 * of a chain, frames of one arc are joined to the newest of them, which from
 * then on stands for n calls. What they cost until now is charged, and what it
 * costs from now on counts n times. Counts and costs are those of separate
 * frames, and a chain has no more frames than it has arcs, but for the newest,
 * which are left as they are. */
#ifndef CG2_TAILCHAIN_H
#define CG2_TAILCHAIN_H

#include "engine/stack.h"

/* Joins frames of the chain on top, if the stack has no more room and that
 * makes much. `total` is the thread's complete total; all frames are settled.
 */
void cg2_tailchain_join(Stack* stack, const ULong* total);

#endif
