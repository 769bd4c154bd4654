/* System calls that say what the machine is like. */
#ifndef CG2_MACHINECALLS_H
#define CG2_MACHINECALLS_H

#include "repeat/call.h"

Bool cg2_machinecalls_sched_getaffinity(const Call* call);
Bool cg2_machinecalls_getcpu(const Call* call);
Bool cg2_machinecalls_sysinfo(const Call* call);
/* Sets names of the node and the kernel. */
void cg2_machinecalls_uname(const Call* call);
/* Tells of common limits in place of the shell's. */
void cg2_machinecalls_getrlimit(const Call* call);
void cg2_machinecalls_prlimit(const Call* call);

#endif
