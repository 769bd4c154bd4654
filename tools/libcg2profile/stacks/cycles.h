/* The stacks of a part, cycle by cycle. */
#ifndef CG2P_CYCLES_H
#define CG2P_CYCLES_H

#include "stacks/maker.h"

/* Adds all stacks of a part, callers in front of their callees. */
void cg2p_cycles_add(Maker* maker);

#endif
