/* The slow, obvious models that described predictors are compared with, and
 * share no code with. */
#ifndef REFERENCE_PREDICTOR_H
#define REFERENCE_PREDICTOR_H

#include "model/described/processor.h"

/* Makes an empty predictor: gshare, perceptron or tage. There is one at a time.
 */
void reference_predictor_init(const PredictorConfig* config);
void reference_predictor_free(void);

/* Predicts a branch, and learns whether it is taken. True: it was mispredicted.
 */
Bool reference_predictor_conditional(Addr addr, Bool is_taken);

/* Tage does the same for a jump or call to a computed target. */
Bool reference_predictor_indirect(Addr addr, Addr target);

/* A call is made, for tage, that comes back to `behind`; a return goes to a
 * target. True: that was mispredicted. */
void reference_predictor_call(Addr behind);
Bool reference_predictor_return(Addr target);

#endif
