/* System calls that say what time it is: the virtual one, without the kernel.
 */
#ifndef CG2_TIMECALLS_H
#define CG2_TIMECALLS_H

#include "repeat/call.h"

Bool cg2_timecalls_clock_gettime(const KernelRequest* call);
Bool cg2_timecalls_clock_getres(const KernelRequest* call);
Bool cg2_timecalls_gettimeofday(const KernelRequest* call);
Bool cg2_timecalls_time(const KernelRequest* call);
Bool cg2_timecalls_times(const KernelRequest* call);
Bool cg2_timecalls_getrusage(const KernelRequest* call);

/* Writes what who has spent so much has used of the machine, as getrusage says
 * it; 0 is nowhere. */
void cg2_timecalls_tell_usage(Addr to, ULong spent);

/* A struct timespec of the program, in nanoseconds; 0 where it cannot be read,
 * MOMENT_NEVER where these are too many. */
ULong cg2_timecalls_span(Addr timespec);
/* 0, or the negative error that the kernel gives who wants to wait so long. */
Word cg2_timecalls_check(Addr timespec);
/* Whether a clock counts what threads spend. */
Bool cg2_timecalls_is_of_spent(UWord clock);
/* A moment of a clock, as the program says it. */
ULong cg2_timecalls_moment(UWord clock, Addr timespec);

#endif
