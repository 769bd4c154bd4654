/* Summary: what a run prints at its end. */
#ifndef CG2_SUMMARY_H
#define CG2_SUMMARY_H

#include "base/vg.h"

/* Prints the costs of the run, `total`: each event, then caches and branches in
 * words. Source: Callgrind prints the same; but Callgrind shows 1 where no
 * branch was counted, and knows no described machines. */
void cg2_summary_print(const ULong* total);

#endif
