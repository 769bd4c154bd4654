/* Branches as the rest of the tool sees them: events, and who predicts them.
 *
 * How many there are follows from how often instructions are executed;
 * mispredictions are counted when they happen, in slots of the instruction. */
#ifndef CG2_MISPREDICTIONS_H
#define CG2_MISPREDICTIONS_H

#include "engine/event.h"
#include "model/described/processor.h"

/* The events of one kind of branches. */
typedef struct BranchEvents {
   UInt all, mispredicted;
} BranchEvents;

typedef struct MispredictionsConfig {
   Bool is_on;
   BranchEvents conditional, indirect;
   /* The described machine whose predictor is for conditional branches. NULL:
    * Callgrind's predictor is. */
   const Processor* processor;
} MispredictionsConfig;

/* Filled before the first translation, then constant. */
extern MispredictionsConfig cg2_mispredictions_config;

/* Adds the events and makes the predictor of a described machine. */
void cg2_mispredictions_start(void);

/* Whether generated code predicts conditional branches by itself, see branch.h;
 * if not, it calls cg2_mispredictions_conditional. */
Bool cg2_mispredictions_is_inline(void);

/* Predicts the conditional branch at `branch`. 1: it is mispredicted; 0: not.
 */
VG_REGPARM(2) UWord cg2_mispredictions_conditional(Addr branch, UWord is_taken);

#endif
