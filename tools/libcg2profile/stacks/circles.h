/* The stacks of a part, circle by circle. */
#ifndef CG2P_CIRCLES_H
#define CG2P_CIRCLES_H

#include "stacks/making.h"

/* Adds all stacks of a part, callers in front of their callees. */
void cg2p_circles_add(Making* making);

#endif
