/* A description of a processor: text that says what it has, one statement on a
 * line. docs/machines.md has the language. */
#ifndef CG2_DESCRIPTION_H
#define CG2_DESCRIPTION_H

#include "model/described/processor.h"

/* Reads it. False if there is an error: then `error`, of PROCESSOR_TEXT bytes,
 * says what is wrong and what is allowed, and `line`, from 1, where. */
Bool cg2_description_parse(const HChar* text,
                           Processor* processor,
                           HChar* error,
                           UInt* line);

#endif
