/* The calls that are already on a program's stack when cg2 begins to look:
 * found by unwinding, as a debugger does. */
#ifndef CG2_BACKTRACE_H
#define CG2_BACKTRACE_H

#include "engine/thread.h"

/* Makes frames of the calls that the running thread, which has none, is in. */
void cg2_backtrace_take(void);

#endif
