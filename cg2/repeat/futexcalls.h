/* Futexes: threads that wait for each other. The tool knows who waits, and
 * wakes in the order of asking. */
#ifndef CG2_FUTEXCALLS_H
#define CG2_FUTEXCALLS_H

#include "repeat/call.h"

/* Called once, before the first thread begins. */
void cg2_futexcalls_start(void);

/* False: the kernel is asked, as other processes may use the futex, or as only
 * it knows the operation. */
Bool cg2_futexcalls_futex(const KernelRequest* call);

/* Thread `tid`, which calls this, ends: those who wait for a lock that it holds
 * and that says so get it, as the kernel knows its number by another one. */
void cg2_futexcalls_end_thread(ThreadId tid);

#endif
