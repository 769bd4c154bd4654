/* The calls that are already on a program's stack when cg2 begins to look:
 * found by unwinding, as a debugger does. */
#ifndef CG2_BACKTRACE_H
#define CG2_BACKTRACE_H

#include "engine/thread.h"

/* Pushes frames of the calls that the running thread is in; it has none yet. */
void cg2_backtrace_push(void);

#endif
