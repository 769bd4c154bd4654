/* A description of a processor: text that says what it has, one statement on a
 * line, which docs/machines.md explains:
 *
 *    cache L2 size=1M ways=16 latency=14 prefetch=stream
 *    branches predictor=tage latency=16 */
#ifndef CG2_DESCRIPTION_H
#define CG2_DESCRIPTION_H

#include "model/described/processor.h"

/* Reads a description. False: `error`, of PROCESSOR_TEXT bytes, says what is
 * wrong and what is allowed, and `line`, from 1, where. */
Bool cg2_description_parse(const HChar* text,
                           Processor* processor,
                           HChar* error,
                           UInt* line);

#endif
