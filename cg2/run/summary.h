/* Summary: what a run prints at its end: costs, and where the profile is. */
#ifndef CG2_SUMMARY_H
#define CG2_SUMMARY_H

#include "base/vg.h"

/* Prints the costs of the run, `total`: each event, then caches and branches in
 * words. Source: Callgrind prints the same; but Callgrind shows 1 where no
 * branch was counted, and knows no described machines. */
void cg2_summary_print(const ULong* total);

/* Prints a line that says where the profile is, and the command that shows it.
 */
void cg2_summary_print_profile(void);

#endif
