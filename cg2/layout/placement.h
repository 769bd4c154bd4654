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
 * A unit keeps together: it moves by a number of grains, so that neither what
 * shares a line changes, nor which of its own lines share a set of a cache
 * whose ways have no more than a page. Behind each BLOCK bytes its pages go on
 * elsewhere. No two grains are placed at one place, until all that was placed
 * fills the address space, which a 32-bit program may come to.
 *
 * Where memory is placed is decided when it is first asked for, and stays. */
#ifndef CG2_PLACEMENT_H
#define CG2_PLACEMENT_H

#include "base/vg.h"

enum {
   PLACEMENT_GRAIN = 64,   /* bytes: the smallest grain */
   PLACEMENT_BLOCK = 65536 /* bytes */
};

/* Begins: `grain` is as many bytes as the largest line of all caches has, a
 * power of two. */
void cg2_placement_begin(ULong seed, UInt grain);

/* Where an address is placed. The bytes up to the end of its grain are placed
 * behind it. */
Addr cg2_placement_of(Addr address);

/* The first address behind the grain of an address. */
Addr cg2_placement_grain_end(Addr address);

#endif
