/* Faults: what a gather or a scatter has done when one of its elements is not
 * there.
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

#endif
