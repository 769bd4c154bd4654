/* System calls that wait: for a time, for files, or for what others do. */
#ifndef CG2_WAITCALLS_H
#define CG2_WAITCALLS_H

#include "repeat/call.h"

/* Whether a signal ends the thread's wait: its handler is about to run then,
 * and the call is answered as interrupted; or the thread shall end. */
Bool cg2_waitcalls_is_interrupted(ThreadId tid);

/* Waits of a time: the time goes on. */
Bool cg2_waitcalls_nanosleep(const KernelRequest* call);
Bool cg2_waitcalls_clock_nanosleep(const KernelRequest* call);
/* Waits for a signal, which a timer of a process without threads and relatives
 * sends. */
Bool cg2_waitcalls_pause(const KernelRequest* call);
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
Bool cg2_waitcalls_sigtimedwait(const KernelRequest* call);
void cg2_waitcalls_sigtimedwaited(const KernelRequest* call);

/* Holds a thread back until a file can be read or written without waiting. */
void cg2_waitcalls_until_readable(ThreadId tid, Int fd);
void cg2_waitcalls_until_writable(ThreadId tid, Int fd);

#endif
