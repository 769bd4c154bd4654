/* System calls that say what the machine is like. */
#ifndef CG2_MACHINECALLS_H
#define CG2_MACHINECALLS_H

#include "repeat/call.h"

Bool cg2_machinecalls_sched_getaffinity(const KernelRequest* call);
Bool cg2_machinecalls_getcpu(const KernelRequest* call);
Bool cg2_machinecalls_sysinfo(const KernelRequest* call);
/* Sets names of the node and the kernel. */
void cg2_machinecalls_uname(const KernelRequest* call);

#endif
