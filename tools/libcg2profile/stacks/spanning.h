/* How the functions of a circle are reached from one of them. */
#ifndef CG2P_SPANNING_H
#define CG2P_SPANNING_H

#include "stacks/maker.h"

/* The calls by which all functions of a circle are reached from `start`, one
 * of them. The first is CG2P_NONE and stands for `start`. They stay until the
 * next circle's. */
const uint32_t* cg2p_spanning_tree(Making* making, uint32_t start);

#endif
