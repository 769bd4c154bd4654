/* Faults: what a gather or a scatter has done when one of its elements is not
 * there; what was raised in MXCSR; where SIGFPE comes from.
 *
 * Machine code stores what an instruction wrote when it is finished. One that
 * ends in the middle has done the elements below the one that is missing, as
 * its mask then says; a handler sees that, and the instruction goes on from
 * there. */
#ifndef CG2_VECFAULT_H
#define CG2_VECFAULT_H

#include "base/vg.h"

/* A signal is about to be handled by a thread. */
void cg2_vecfault_complete(ThreadId tid, Int signal);

/* A handler of it is about to be told: of the program's instruction in place of
 * machine code. What that had raised is kept. `context` is what the kernel
 * says of the processor, or null. */
void cg2_vecfault_tell(ThreadId tid, vki_siginfo_t* info, const void* context);

/* A handler begins: MXCSR is as a processor begins, but for its rounding. */
void cg2_vecfault_begin_handler(ThreadId tid);

#endif
