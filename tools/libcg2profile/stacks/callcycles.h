/* The stacks of a part, cycle by cycle. */
#ifndef CG2P_CALLCYCLES_H
#define CG2P_CALLCYCLES_H

#include "stacks/maker.h"

/* Adds all stacks of a part, callers in front of their callees. */
void cg2p_callcycles_add(Maker* maker);

#endif
