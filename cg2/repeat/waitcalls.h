/* System calls that wait: for a time, for files, or for what others do. */
#ifndef CG2_WAITCALLS_H
#define CG2_WAITCALLS_H

#include "repeat/call.h"

/* Waits of a time: the time goes on. */
Bool cg2_waitcalls_nanosleep(const KernelRequest* call);
Bool cg2_waitcalls_clock_nanosleep(const KernelRequest* call);
Bool cg2_waitcalls_sched_yield(const KernelRequest* call);

/* Waits for one of several files, with a limit of time. The function behind
 * each lets the time go on where the kernel has waited in vain. */
Bool cg2_waitcalls_poll(const KernelRequest* call);
void cg2_waitcalls_polled(const KernelRequest* call);
Bool cg2_waitcalls_ppoll(const KernelRequest* call);
void cg2_waitcalls_ppolled(const KernelRequest* call);
Bool cg2_waitcalls_select(const KernelRequest* call);
Bool cg2_waitcalls_pselect(const KernelRequest* call);
Bool cg2_waitcalls_epoll_wait(const KernelRequest* call);
void cg2_waitcalls_epoll_waited(const KernelRequest* call);
void cg2_waitcalls_epoll_ctl(const KernelRequest* call);

/* Holds a thread back until the file of the first argument can be read or
 * written without waiting. True: a signal came first, and the call is over. */
Bool cg2_waitcalls_until_readable(const KernelRequest* call);
Bool cg2_waitcalls_until_writable(const KernelRequest* call);

#endif
