/* Branch prediction, as Callgrind's.
 *
 * A conditional branch is predicted by one of 16384 counters of two bits, which
 * the lower 7 bits of its address and the outcomes of the 7 branches before it
 * choose; the upper bit is the prediction. An indirect one is predicted to go
 * where the last one went whose address has the same lower 9 bits.
 *
 * Generated code does the same by itself: it finds all that it needs here. */
#ifndef CG2_BRANCH_H
#define CG2_BRANCH_H

#include "base/vg.h"

/* True: mispredicted. `addr` is the branch's own. */
Bool cg2_branch_conditional(Addr addr, Bool is_taken);
Bool cg2_branch_indirect(Addr addr, Addr target);

/* The outcomes of the last branches are a bit for each, the newest lowest;
 * generated code has them in a register. */
enum { BRANCH_HISTORY_MASK = 0x7f };

/* Of a conditional branch: its counters, by history. Each is twice what it
 * counts: 0, surely not taken, to 6, surely taken. */
UChar* cg2_branch_counters(Addr addr);
/* What a counter becomes: by the counter, plus 1 if the branch is taken. */
extern const UChar cg2_branch_next[8];
/* The bit of a counter that is the prediction. */
enum { BRANCH_PREDICTION_BIT = 2 };

/* Of an indirect branch: where it is predicted to go. */
Addr* cg2_branch_target(Addr addr);

/* Forgets all branches: none is predicted to be taken. */
void cg2_branch_clear(void);

#endif
