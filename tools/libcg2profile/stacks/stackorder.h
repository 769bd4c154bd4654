/* The order of stacks, and their numbers in it. */
#ifndef CG2P_STACKORDER_H
#define CG2P_STACKORDER_H

#include "stacks/maker.h"

/* Numbers the stacks anew: each behind its caller's, the most expensive first;
 * and finds their self costs. */
void cg2p_stackorder_number(Maker* maker);

#endif
