/* The table of system calls that are not the kernel's alone. What is not in it
 * passes. */
#ifndef CG2_CALLS_H
#define CG2_CALLS_H

#include "base/vg.h"

/* Makes the call that a thread is about to make: answers it, or calls `real`,
 * which has the kernel do so. */
void cg2_calls_make(ThreadId tid, void (*real)(ThreadId, UInt), UInt trap);

#endif
