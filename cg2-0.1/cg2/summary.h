/* What a run prints at its end about its caches. */
#ifndef CG2_SUMMARY_H
#define CG2_SUMMARY_H

#include "sim.h"

/* `total` is the costs of the run. Source: Callgrind prints the same. */
void cg2_summary_print(const ULong* total);

#endif
