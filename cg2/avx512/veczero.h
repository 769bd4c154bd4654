/* Zeroing: what VEX-encoded instructions do to upper halves.
 *
 * A VEX-encoded instruction that writes a vector clears all of it that lies
 * above what it writes. VEX knows of the lower half only. Instructions of SSE
 * leave upper halves as they are. */
#ifndef CG2_VECZERO_H
#define CG2_VECZERO_H

#include "arch/guest.h"
#include "libvex.h"

/* Has a block clear the upper halves that its VEX-encoded instructions clear.
 */
void cg2_veczero_rewrite(IRSB* block);

#endif
