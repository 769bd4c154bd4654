/* Setup: what the options mean together.
 *
 * When all options are read, setup refuses those that contradict each other,
 * completes the caches that are to be simulated, and adds the events. */
#ifndef CG2_SETUP_H
#define CG2_SETUP_H

#include "base/vg.h"

/* Prepares all modules for the program's first instruction, as the options say.
 * Options that do not go together end the run with one line. */
void cg2_setup_start(void);

#endif
