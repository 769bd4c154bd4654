/* Branches as the rest of the tool sees them: events, and who predicts them.
 *
 * How many there are follows from how often instructions are executed;
 * mispredictions are counted when they happen, in slots of the instruction. */
#ifndef CG2_MISPREDICTIONS_H
#define CG2_MISPREDICTIONS_H

#include "engine/event.h"
#include "model/described/processor.h"

/* The events of branches of one kind. */
typedef struct BranchEvents {
   UInt all;          /* each branch */
   UInt mispredicted; /* each one that goes elsewhere than predicted */
} BranchEvents;

typedef struct MispredictionsConfig {
   Bool is_on; /* branches are counted; set by an option */
   BranchEvents conditional, indirect;
   const Processor* processor; /* its predictor is asked for conditional
                                  branches; NULL: Callgrind's is */
} MispredictionsConfig;

/* Filled before the first translation, then constant. */
extern MispredictionsConfig cg2_mispredictions_config;

/* Adds the events and makes the predictor of a described machine. */
void cg2_mispredictions_start(void);

/* Whether generated code predicts conditional branches by itself, see branch.h.
 * If not, it calls cg2_mispredictions_conditional. */
Bool cg2_mispredictions_is_inline(void);
/* Predicts the conditional branch at `branch`, which is taken or not. 1: the
 * prediction is wrong, else 0. */
VG_REGPARM(2) UWord cg2_mispredictions_conditional(Addr branch, UWord is_taken);

#endif
