/* Branch prediction, as Callgrind's.
 *
 * A conditional branch is predicted by one of 16384 counters of two bits, which
 * the lower 7 bits of its address and the outcomes of the 7 branches before it
 * choose; the upper bit is the prediction. An indirect one is predicted to go
 * where the last one went whose address has the same lower 9 bits. */
#ifndef CG2_BRANCH_H
#define CG2_BRANCH_H

#include "vg.h"

/* True: mispredicted. `addr` is the branch's own. */
Bool cg2_branch_conditional(Addr addr, Bool is_taken);
Bool cg2_branch_indirect(Addr addr, Addr target);

/* Forgets all branches: none is predicted to be taken. */
void cg2_branch_clear(void);

#endif
