/* Branches as the rest of the tool sees them: events.
 *
 * How many there are follows from how often instructions are executed;
 * mispredictions are counted when they happen, in slots of the instruction. */
#ifndef CG2_PREDICT_H
#define CG2_PREDICT_H

#include "event.h"

typedef struct BranchEvents {
   UInt all, mispredicted;
} BranchEvents;

typedef struct PredictConfig {
   Bool is_on;
   BranchEvents conditional, indirect;
} PredictConfig;

/* Filled before the first translation, then constant. */
extern PredictConfig cg2_predict_config;

/* Adds the events. */
void cg2_predict_start(void);

#endif
