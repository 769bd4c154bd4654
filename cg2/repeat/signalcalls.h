/* System calls that wait for a signal. */
#ifndef CG2_SIGNALCALLS_H
#define CG2_SIGNALCALLS_H

#include "repeat/call.h"

/* Rows that answer. The kernel waits where nothing but what comes from outside
 * can end the wait. */
Bool cg2_signalcalls_pause(const KernelRequest* call);
Bool cg2_signalcalls_sigsuspend(const KernelRequest* call);
Bool cg2_signalcalls_sigtimedwait(const KernelRequest* call);

/* A row that the kernel answers: a signal of a child that was ignored until now
 * is not there any more when it is blocked. */
Bool cg2_signalcalls_sigprocmask(const KernelRequest* call);

/* A row that changes what was read of a signalfd. */
void cg2_signalcalls_read(const KernelRequest* call);

#endif
