/* How a circle of functions is reached. */
#ifndef CG2P_ENTRY_H
#define CG2P_ENTRY_H

#include "stacks/maker.h"

/* Finds the ways into a circle: at least one, none that costs nothing beside
 * one that does. */
void cg2p_entry_find(Making* making, uint32_t circle);

/* Finds the calls of a thread's root, and as the last way what the root costs
 * without them. Whether any of the calls costs something. */
bool cg2p_entry_find_calls(Making* making, uint32_t function);

/* Adds the shares that the ways have; the number of the first one's. */
uint32_t cg2p_entry_share(Making* making);

#endif
