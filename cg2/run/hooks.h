/* Hooks: what the tool does when the core tells it something: a thread runs on
 * or stops, a signal comes, the program makes a system call or a request, code
 * or memory is gone, a process has forked. */
#ifndef CG2_HOOKS_H
#define CG2_HOOKS_H

#include "base/vg.h"

/* Asks the core to tell. Called once, before any option is read. */
void cg2_hooks_install(void);

#endif
