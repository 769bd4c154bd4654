/* What one call of a function costs with all that it calls: I = a + R I, where
 * a is its own cost a call, and R how often a call of it calls each function.
 *
 * Functions that are in no circle follow those that they call. In a circle the
 * equations are solved, multiplied by the calls N of each function:
 *
 *    (N - C) I = own costs + costs of the calls that leave the circle
 *
 * where C are the calls within the circle. Nothing is subtracted: what stands
 * on the diagonal is the sum of the rest of its column and of the calls into
 * the circle, while functions are eliminated, too. So the result is as exact as
 * its numbers, however deep the recursion. */
#ifndef CG2P_PERCALL_H
#define CG2P_PERCALL_H

#include "explain/summands.h"

/* The costs of a call of each function, one behind the other; 0 of functions
 * that the side does not have. */
long double*
cg2p_percall_find(Arena* arena, Failure* failure, const Summands* side);

#endif
