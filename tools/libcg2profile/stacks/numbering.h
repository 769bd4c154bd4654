/* The order of stacks, and their numbers in it. */
#ifndef CG2P_NUMBERING_H
#define CG2P_NUMBERING_H

#include "stacks/making.h"

/* Numbers the stacks anew: each behind its caller's, the most expensive first;
 * and finds their self costs. */
void cg2p_stacks_number(Making* making);

#endif
