/* The stack that the program begins with, at the same address whatever its
 * environment is, and with the same entries in its auxiliary vector whatever
 * the kernel is. */
#ifndef CG2_STARTSTACK_H
#define CG2_STARTSTACK_H

#include "base/vg.h"

/* Builds the stack anew below the one that the core has built, for the first
 * thread, which has not run. */
void cg2_startstack_build(ThreadId tid);

#endif
