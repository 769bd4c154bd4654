/* How the functions of a cycle are reached from one of them. */
#ifndef CG2P_SPANNING_H
#define CG2P_SPANNING_H

#include "stacks/maker.h"

/* The calls by which all functions of a cycle are reached from `start`, one
 * of them. The first is CG2P_NONE and stands for `start`. They stay until the
 * next cycle's. */
const uint32_t* cg2p_spanning_tree(Maker* maker, uint32_t start);

#endif
