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

#endif
