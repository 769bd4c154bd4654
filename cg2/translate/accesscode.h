/* The accesses to memory of a block: the IR that looks whether they hit, and
 * makes those that are not known to.
 *
 * A line that was touched lately has a mark (marked.h). An access that lies in
 * a marked line hits: generated code puts the time of the access into the mark,
 * and that is all. Any other access calls the simulator. */
#ifndef CG2_ACCESSCODE_H
#define CG2_ACCESSCODE_H

#include "translate/clock.h"
#include "translate/sites.h"

/* Writes the access of site number `number`, which counts in `access`. The
 * sites of a block are written in ascending order. */
void cg2_accesscode_write(Emitter* e,
                          const AccessSites* sites,
                          UInt number,
                          Access* access,
                          Clock* clock);

#endif
