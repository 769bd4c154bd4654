/* Predictors of conditional branches, one of which a described machine has.
 *
 * callgrind: see branch.h.
 *
 * gshare: 2^bits counters of two bits; the address xor the outcomes of the last
 * `history` branches chooses one. Source: McFarling, Combining Branch
 * Predictors, 1993.
 *
 * perceptron: 2^bits vectors of `history` + 1 weights of 8 bits, chosen by the
 * address; a branch is taken if the weights, each with the sign of its outcome,
 * add up to 0 or more. Trained when it was wrong, or the sum not above 1.93
 * history + 14. Source: Jimenez and Lin, Dynamic Branch Prediction with
 * Perceptrons, 2001.
 *
 * tage: counters of two bits by the address, and four tables that are tagged,
 * chosen by the address and the last history / 8, / 4, / 2 and all outcomes;
 * each has 2^bits entries. The longest match predicts. One that was wrong gets
 * an entry in the next longer table whose entry there is not useful; if all
 * are, they become less so. Useful is what was right where the next shorter
 * match was wrong; that fades every 2^18 branches. Source: Seznec and Michaud,
 * A case for (partially) TAgged GEometric history length branch prediction,
 * 2006.
 *
 * At the start nothing is taken; by perceptrons, all is. */
#ifndef CG2_PREDICTOR_H
#define CG2_PREDICTOR_H

#include "model/described/processor.h"

/* Picks one, and empties it. Without it: callgrind. */
void cg2_predictor_init(const PredictorConfig* config);

/* As cg2_branch_conditional: True: mispredicted. */
Bool cg2_predictor_conditional(Addr addr, Bool is_taken);

/* Forgets all branches. */
void cg2_predictor_clear(void);

#endif
