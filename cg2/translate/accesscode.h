/* The accesses to memory of a block: the IR that looks whether they hit, and
 * makes those that are not known to.
 *
 * A line that was touched lately has a mark (marked.h). An access that lies in
 * a marked line hits: generated code puts the time of the access into the mark,
 * and that is all. Any other access calls the simulator. */
#ifndef CG2_ACCESSCODE_H
#define CG2_ACCESSCODE_H

#include "arch/thunk.h"
#include "translate/clock.h"
#include "translate/sites.h"

/* Writes the access of site number `number`, whose block has its records. The
 * sites of a block are written in ascending order, and each needs a thunk at
 * most. */
void cg2_accesscode_write(Emitter* e,
                          const AccessSites* sites,
                          UInt number,
                          Clock* clock,
                          ThunkRun* thunks);

#endif
