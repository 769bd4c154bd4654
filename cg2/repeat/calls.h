/* The table of system calls that are not the kernel's alone. What is not in it
 * passes. */
#ifndef CG2_CALLS_H
#define CG2_CALLS_H

#include "base/vg.h"

/* Makes the call that a thread is about to make: answers it, or calls `real`,
 * which has the kernel do so. */
void cg2_calls_make(ThreadId tid, void (*real)(ThreadId, UInt), UInt trap);
/* A signal has interrupted the kernel, and the core does not return to the
 * call: `tid` goes on with a handler, and may make the call again. */
void cg2_calls_interrupted(ThreadId tid);

/* A handler is about to run, with what is said of its signal: a call of the
 * thread that the kernel has answered is over, as one that sends the thread a
 * signal. */
void cg2_calls_before_handler(ThreadId tid, const vki_siginfo_t* info);

#endif
