/* Roots of threads: functions such as `clone`, in the middle of which a thread
 * begins. Who calls one makes a thread, and gets the call back at once; all
 * that the function calls, it calls in the new thread, where nobody has called
 * it. A profile has one function of the two. */
#ifndef CG2P_THREADROOTS_H
#define CG2P_THREADROOTS_H

#include "stacks/maker.h"

/* Finds the functions that are called, and are roots of threads, too. */
void cg2p_threadroots_find(Maker* maker);

#endif
