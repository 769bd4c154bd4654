/* Control: whether costs are collected and code is instrumented while the
 * program runs, and what happens at watched functions.
 *
 * The command line, client requests and monitor commands all end here. */
#ifndef CG2_CONTROL_H
#define CG2_CONTROL_H

#include "engine/thread.h"
#include "run/runconfig.h"

/* The state of the running thread, or, where the scope is not a thread, of the
 * process. */
SessionState cg2_control_state(void);

/* The process collects as the program did that it has replaced, whose functions
 * never return; the scope is SCOPE_SESSION. */
void cg2_control_inherit(SessionState state);

/* Applies the rules of a watched function of which no frame is on the stack,
 * just before it is entered. */
void cg2_control_entering(const Function* function);

/* Applies the rules of a watched function when its last frame has been left. */
void cg2_control_left(const Function* function);

/* Toggles collection for a watched function that was found on a stack on which
 * nobody saw it enter. */
void cg2_control_found(const Function* function);

/* Writes the part that is due: as many blocks have run as --dump-every-bb says.
 */
void cg2_control_due(void);

/* Switches instrumentation on, from an empty stack and empty caches, or off:
 * the program then runs as it would run without a tool. */
void cg2_control_instrument(Bool is_on);

/* Makes a thread that is about to run collect costs or not. */
void cg2_control_thread_runs(void);

/* Flips collection, of the running thread or of all: on becomes off, and off
 * becomes on. */
void cg2_control_toggle(void);

#endif
