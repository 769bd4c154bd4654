/* Predictors of conditional branches, of which a described machine has one.
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
 * tage: counters of two bits by the address, and four tables that are tagged,
 * chosen by the address and the last history / 8, / 4, / 2 and all outcomes;
 * each has 2^bits entries. The longest match predicts. A branch that was
 * mispredicted gets an entry in the next longer table whose entry for it is not
 * useful; if the entries of all longer tables are, they become less useful. An
 * entry is useful if it was right where the next shorter match was wrong; that
 * fades every 2^18 branches. Source: Seznec and Michaud,
 * A case for (partially) TAgged GEometric history length branch prediction,
 * 2006.
 *
 * At the start nothing is taken; by perceptrons, all is. */
#ifndef CG2_PREDICTOR_H
#define CG2_PREDICTOR_H

#include "model/described/processor.h"

/* Makes an empty predictor of the process's machine. Until then, and without
 * it, the predictor is callgrind. */
void cg2_predictor_init(const PredictorConfig* config);

/* Predicts the conditional branch at `addr`, and learns whether it is taken.
 * True: it was mispredicted. */
Bool cg2_predictor_conditional(Addr addr, Bool is_taken);

/* Forgets all branches. */
void cg2_predictor_clear(void);

#endif
