/* The slow, obvious models that described predictors are compared with. They
 * share no code with them. */
#ifndef REFERENCE_PREDICTOR_H
#define REFERENCE_PREDICTOR_H

#include "model/described/processor.h"

/* Begins with one of gshare, perceptron and tage; there is one at a time. */
void reference_predictor_init(const PredictorConfig* config);
void reference_predictor_free(void);

/* True: mispredicted. */
Bool reference_predictor_conditional(Addr addr, Bool is_taken);

#endif
