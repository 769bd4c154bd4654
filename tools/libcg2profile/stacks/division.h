/* What functions cost by place, divided among their stacks. */
#ifndef CG2P_DIVISION_H
#define CG2P_DIVISION_H

#include "stacks/maker.h"

/* Divides what functions cost among their stacks, and adds up the inclusive
 * costs of these. */
void cg2p_division_divide(Maker* maker);

#endif
