/* What a run prints at its end about its caches and branches. */
#ifndef CG2_SUMMARY_H
#define CG2_SUMMARY_H

#include "base/vg.h"

/* `total` is the costs of the run. Source: Callgrind prints the same, but that
 * it shows 1 where no branch was counted, and but for described machines. */
void cg2_summary_print(const ULong* total);

#endif
