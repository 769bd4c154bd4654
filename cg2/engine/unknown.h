/* Stacks that are not known, as their threads ran while nothing was
 * instrumented. The frames that were there before are kept, so that their calls
 * are not counted twice when they are found again. */
#ifndef CG2_UNKNOWN_H
#define CG2_UNKNOWN_H

#include "engine/thread.h"

/* Forgets what thread `t` has on its stack. Its fibers are dropped already. */
void cg2_unknown_forget(Thread* t);

/* The arc of a call of `callee` by the running thread's context, whose return
 * address stands at `sp`, if the call was a frame when the stack was forgotten;
 * else NULL. */
Arc* cg2_unknown_arc(const Function* callee, Addr sp);

#endif
