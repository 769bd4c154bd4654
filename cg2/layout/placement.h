/* Where an address lies for the simulated caches, if a seed chooses that.
 *
 * Which lines of memory get into each other's way in a cache depends on where
 * they lie, which a relink changes: functions and variables move. Here it is
 * done to the addresses that the caches are told of, so that the program runs
 * as it does anyway:
 *
 *    unit        its own address     placed, seed 1     placed, seed 2
 *    function f  0x401140            0x010c40           0x00f180
 *    variable v  0x404080            0x02a000           0x03c4c0
 *
 * A unit keeps together: it moves by a number of grains, so that which of its
 * own lines share a set of a cache whose ways have no more than a page does not
 * change. Behind each block of bytes its pages go on elsewhere.
 *
 * Where a linker has placed units, these lie elsewhere in grains, too: pages of
 * them move by a *phase*, which is a part of a grain, and the same for all. So
 * what shares a line with its neighbour still does, but with another part of
 * it. Seeds in a row have all phases in turn.
 *
 * No two grains are placed at one place, until all that was placed fills the
 * address space, which a 32-bit program may come to.
 *
 * Where memory is placed is decided when it is first asked for, and stays. */
#ifndef CG2_PLACEMENT_H
#define CG2_PLACEMENT_H

#include "base/vg.h"

enum {
   PLACEMENT_GRAIN = 64,         /* bytes: the smallest grain */
   PLACEMENT_PHASE = 16,         /* bytes: phases are multiples of it */
   PLACEMENT_BLOCK = 65536,      /* bytes; */
   PLACEMENT_MAP_BLOCK = 1 << 20 /* with PLACING_MAPS */
};

/* Which units move by themselves. */
typedef enum Placing {
   PLACING_UNITS, /* each: functions and variables, too */
   /* Maps as a whole, in blocks that are so large that hardly more pages are
    * used than before: for machines whose TLBs look at pages. */
   PLACING_MAPS
} Placing;

/* Begins: `grain` is as many bytes as the largest line of all caches has, a
 * power of two. */
void cg2_placement_begin(ULong seed, UInt grain, Placing placing);

/* Where an address is placed. The bytes up to the end of the grain that it is
 * placed in are placed behind it. */
Addr cg2_placement_of(Addr address);

/* How many bytes from an address on are placed in one grain. */
UWord cg2_placement_rest(Addr address);

#endif
