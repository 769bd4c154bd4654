#include "predict.h"

PredictConfig cg2_predict_config;

/* Source: Callgrind's names, in its order. */
void cg2_predict_start(void)
{
   PredictConfig* c = &cg2_predict_config;
   c->conditional.all = cg2_event_add("Bc", NULL);
   c->conditional.mispredicted = cg2_event_add("Bcm", NULL);
   c->indirect.all = cg2_event_add("Bi", NULL);
   c->indirect.mispredicted = cg2_event_add("Bim", NULL);
}
