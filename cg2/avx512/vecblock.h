/* Blocks: what VEX cannot decode, executed.
 *
 * VEX ends a block in front of an instruction that it does not know, and says
 * so (Ijk_NoDecode). If that is one of AVX-512, the block becomes one that
 * calls machine code which executes it, and those behind it, and goes on. What
 * is in front of it in the same block becomes a block of its own.
 *
 * From the first such block on, blocks of VEX-encoded instructions clear upper
 * halves (veczero.h): all that was translated before is translated anew. */
#ifndef CG2_VECBLOCK_H
#define CG2_VECBLOCK_H

#include "arch/guest.h"
#include "libvex.h"

/* Says how Valgrind is to go about instructions that it does not know. Before
 * the first block. Ends the run with one line if the host has no AVX-512 and it
 * is asked for. */
void cg2_vecblock_start(void);

/* Rewrites a block, and the extents of the code that it is made of. */
void cg2_vecblock_rewrite(IRSB* block, VexGuestExtents* extents);

#endif
