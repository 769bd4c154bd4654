/* What the command line, the program and its user tell cg2 to do while the
 * program runs: write a part, start from zero, collect or not. */
#ifndef CG2_CONTROL_H
#define CG2_CONTROL_H

#include "engine/thread.h"
#include "profile/dump.h"

typedef struct ControlConfig {
   Bool collect_at_start;
   Bool is_process_wide; /* a function that toggles collection does so for all
                            threads, not only the one that runs it */
   ULong dump_every;     /* blocks; 0: only when told to */
} ControlConfig;

/* Filled before the first translation, then constant. */
extern ControlConfig cg2_control_config;

/* A watched function is about to be entered that no frame is of; the last frame
 * of one has been left. */
void cg2_control_entering(const Function* function);
void cg2_control_left(const Function* function);

/* As many blocks have run as --dump-every-bb says. */
void cg2_control_due(void);

/* A frame of a watched function was found on the stack. */
void cg2_control_found(const Function* function);

/* Counts from now on, or runs the program as it would run without a tool. */
void cg2_control_instrument(Bool is_on);

/* A thread is about to run: it collects if it should. */
void cg2_control_thread_runs(void);

/* The name of the phase that the program is in, or `otherwise` if it has none.
 */
const HChar* cg2_control_phase(const HChar* otherwise);

/* Takes a client request of Callgrind or cg2; False if there is none such, so
 * that the program gets its own default for an answer. */
Bool cg2_control_request(UWord* args, UWord* answer);

#endif
