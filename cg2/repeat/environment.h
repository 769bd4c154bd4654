/* The environment of a repeatable run: the program gets the variables that
 * decide which code runs, those that --keep-env names, and some of which
 * everybody has the same. */
#ifndef CG2_ENVIRONMENT_H
#define CG2_ENVIRONMENT_H

#include "base/vg.h"

/* The variables that a program gets in place of `given`, texts up to a 0: in a
 * fixed order, with a 0 behind the last. Says in one line what is left out. The
 * caller frees the list. */
UWord* cg2_environment_choose(const UWord* given);

/* The same for a program that replaces another one, which has said what it
 * gets: all but what Valgrind has added for itself. */
UWord* cg2_environment_inherit(const UWord* given);

/* What was chosen, as /proc/self/environ has it: *size bytes. */
const HChar* cg2_environment_text(SizeT* size);

#endif
