/* Setup: what the options mean together.
 *
 * When all options are read, setup refuses those that contradict each other,
 * completes the caches that are to be simulated, and adds the events. */
#ifndef CG2_SETUP_H
#define CG2_SETUP_H

#include "events/syscalls.h"

/* What options say that no other module keeps. */
typedef struct SetupConfig {
   const HChar* machine;  /* the name or file that --machine gives, or NULL */
   SyscallTimes syscalls; /* how system calls are events, if at all */
} SetupConfig;

/* Filled by run/options.h, then constant. */
extern SetupConfig cg2_setup_config;

/* Prepares all modules for the program's first instruction, as the options say.
 * Options that do not go together end the run with one line. */
void cg2_setup_start(void);

#endif
