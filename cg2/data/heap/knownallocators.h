/* The functions of common libraries that give out memory or take it back. */
#ifndef CG2_KNOWNALLOCATORS_H
#define CG2_KNOWNALLOCATORS_H

#include "data/heap/pools.h"

/* How many allocators are known. */
extern const UInt cg2_knownallocators_count;

/* Allocator number `i`, from 0. */
const Allocator* cg2_knownallocators_get(UInt i);

/* The name of the i-th function, from 0, that hands memory on to its caller
 * which it has from an allocator or the kernel; NULL: there are fewer. */
const HChar* cg2_knownallocators_hands_on(UInt i);

#endif
