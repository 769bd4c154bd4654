/* System calls that wait for children. */
#ifndef CG2_CHILDCALLS_H
#define CG2_CHILDCALLS_H

#include "repeat/call.h"

/* Rows that answer; those that wait for children of which nothing is known, as
 * after exec, are the kernel's. */
Bool cg2_childcalls_wait4(const KernelRequest* call);
Bool cg2_childcalls_waitid(const KernelRequest* call);

#endif
