/* Branches as the rest of the tool sees them: events, and who predicts them.
 *
 * How many there are follows from how often instructions are executed;
 * mispredictions are counted when they happen, in slots of the instruction. */
#ifndef CG2_MISPREDICTIONS_H
#define CG2_MISPREDICTIONS_H

#include "base/vg.h"

/* Adds the events and makes the predictor of a described machine. */
void cg2_mispredictions_start(void);

/* Whether generated code predicts conditional branches by itself, see branch.h.
 * If not, it calls cg2_mispredictions_conditional. */
Bool cg2_mispredictions_is_inline(void);
/* Predicts the conditional branch at `branch`, which is taken or not. 1: the
 * prediction is wrong, else 0. */
VG_REGPARM(2) UWord cg2_mispredictions_conditional(Addr branch, UWord is_taken);

/* Whether the predictor follows a program's path, so that computed targets and
 * returns are predicted, too: the first by cg2_mispredictions_indirect, the
 * others by generated code on a return stack, see returns.h. If not, generated
 * code predicts computed targets by itself, see branch.h, and no returns. */
Bool cg2_mispredictions_follows(void);
/* Predicts the jump or call at `branch`, which goes to a computed target. 1:
 * the prediction is wrong, else 0. */
VG_REGPARM(2) UWord cg2_mispredictions_indirect(Addr branch, Addr target);

#endif
