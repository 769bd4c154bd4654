#include "events/mispredictions.h"

#include "engine/event.h"
#include "events/eventsconfig.h"
#include "model/described/predictor.h"

/* Source: Callgrind's names, in its order. */
void cg2_mispredictions_start(void)
{
   MispredictionsConfig* c = &cg2_events_config.mispredictions;
   c->conditional.all = cg2_event_add_counted("Bc", NULL);
   c->conditional.mispredicted = cg2_event_add_counted("Bcm", NULL);
   c->indirect.all = cg2_event_add_counted("Bi", NULL);
   c->indirect.mispredicted = cg2_event_add_counted("Bim", NULL);
   if (!c->processor) return;
   if (cg2_mispredictions_follows())
      c->returns.mispredicted =
         cg2_event_add_counted("Brm", "Returns mispredicted");
   cg2_predictor_init(&c->processor->predictor);
   UInt cycles = c->processor->misprediction_latency;
   cg2_event_estimate(c->conditional.mispredicted, cycles);
   cg2_event_estimate(c->indirect.mispredicted, cycles);
   if (cg2_mispredictions_follows())
      cg2_event_estimate(c->returns.mispredicted, cycles);
}

Bool cg2_mispredictions_is_inline(void)
{
   const Processor* p = cg2_events_config.mispredictions.processor;
   return !p || p->predictor.kind == PREDICT_CALLGRIND;
}

Bool cg2_mispredictions_follows(void)
{
   const Processor* p = cg2_events_config.mispredictions.processor;
   return p && p->predictor.kind == PREDICT_TAGE;
}

VG_REGPARM(2) UWord cg2_mispredictions_conditional(Addr branch, UWord is_taken)
{
   return cg2_predictor_conditional(branch, is_taken != 0);
}

VG_REGPARM(2) UWord cg2_mispredictions_indirect(Addr branch, Addr target)
{
   return cg2_predictor_indirect(branch, target);
}
