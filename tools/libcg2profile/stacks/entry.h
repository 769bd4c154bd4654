/* How a cycle of functions is reached. */
#ifndef CG2P_ENTRY_H
#define CG2P_ENTRY_H

#include "stacks/maker.h"

/* Finds the ways into a cycle: at least one, none that costs nothing beside
 * one that does. */
void cg2p_entry_find(Maker* maker, uint32_t cycle);

/* Finds the calls of a thread's root, and as the last way what the root costs
 * without them. Whether any of the calls costs something. */
bool cg2p_entry_find_calls(Maker* maker, uint32_t function);

/* Adds the shares that the ways have; the number of the first one's. */
uint32_t cg2p_entry_share(Maker* maker);

#endif
