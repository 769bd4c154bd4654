/* Branch prediction, as Callgrind's.
 *
 * A conditional branch is predicted by one of 16384 counters of two bits, which
 * the lower 7 bits of its address, without those that are 0 in all addresses of
 * instructions, and the outcomes of the 7 branches before it
 * choose; the upper bit is the prediction. An indirect one is predicted to go
 * where the last indirect branch went whose address has the same lower 9 bits.
 *
 * Generated code does the same by itself, on the predictors themselves. */
#ifndef CG2_BRANCH_H
#define CG2_BRANCH_H

#include "base/vg.h"

/* Predicts the conditional branch at `addr`, and learns whether it is taken.
 * True: it was mispredicted. */
Bool cg2_branch_conditional(Addr addr, Bool is_taken);
/* Predicts the indirect branch at `addr`, and learns where it goes. True: it
 * was mispredicted. */
Bool cg2_branch_indirect(Addr addr, Addr target);

/* The history: the outcomes of the last branches, a bit for each, the newest
 * one lowest. Generated code has it in a register. */
enum { BRANCH_HISTORY_MASK = 0x7f };

/* The counters of the conditional branch at `addr`, one for each history. A
 * counter is 0 (surely not taken), 2, 4 or 6 (surely taken), and has one bit
 * more set if what it predicted last was wrong. */
UChar* cg2_branch_counters(Addr addr);
enum { BRANCH_WRONG_BIT = 3 };
/* [counter, plus 1 if the branch is taken]: what the counter becomes. */
extern const UChar cg2_branch_next[16];

/* Where the indirect branch at `addr` is predicted to go. */
Addr* cg2_branch_target(Addr addr);

/* Forgets all branches: no branch is predicted to be taken. */
void cg2_branch_clear(void);

#endif
