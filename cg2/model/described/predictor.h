/* Predictors of branches, of which a described machine has one.
 *
 * callgrind: as branch.h describes.
 *
 * gshare: 2^bits counters of two bits; the address xor the outcomes of the last
 * `history` branches chooses one. Source: McFarling, Combining Branch
 * Predictors, 1993.
 *
 * perceptron: 2^bits vectors of `history` + 1 weights of 8 bits, chosen by the
 * address; a branch is taken if the weights, each with the sign of its outcome,
 * add up to 0 or more. The weights are trained when that was wrong, or when the
 * sum was not above 1.93 history + 14. Source: Jimenez and Lin, Dynamic Branch
 * Prediction with Perceptrons, 2001.
 *
 * tage: as tage.h describes; computed targets as ittage.h, returns as returns.h
 * describe. With all others a computed target is predicted as branch.h
 * describes, and returns are not looked at.
 *
 * At the start nothing is taken; by perceptrons, all is. */
#ifndef CG2_PREDICTOR_H
#define CG2_PREDICTOR_H

#include "model/described/processor.h"
#include "model/described/returns.h"

/* Makes an empty predictor of the process's machine. Until then, and without
 * it, the predictor is callgrind. */
void cg2_predictor_init(const PredictorConfig* config);

/* Predicts the conditional branch at `addr`, and learns whether it is taken.
 * True: it was mispredicted. */
Bool cg2_predictor_conditional(Addr addr, Bool is_taken);

/* Predicts the jump or call at `addr` to a computed target, and learns where it
 * goes. True: it was mispredicted. */
Bool cg2_predictor_indirect(Addr addr, Addr target);

/* The return stack of tage, for generated code. It stays where it is. */
Returns* cg2_predictor_returns(void);

/* Forgets all branches. */
void cg2_predictor_clear(void);

#endif
