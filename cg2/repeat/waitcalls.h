/* System calls that wait: for a time, for files, or for what others do. */
#ifndef CG2_WAITCALLS_H
#define CG2_WAITCALLS_H

#include "repeat/call.h"

/* Waits of a time: the time goes on. */
Bool cg2_waitcalls_nanosleep(const Call* call);
Bool cg2_waitcalls_clock_nanosleep(const Call* call);
Bool cg2_waitcalls_sched_yield(const Call* call);

/* Waits for one of several files, with a limit of time. The function behind
 * each lets the time go on where the kernel has waited in vain. */
Bool cg2_waitcalls_poll(const Call* call);
void cg2_waitcalls_polled(const Call* call);
Bool cg2_waitcalls_ppoll(const Call* call);
void cg2_waitcalls_ppolled(const Call* call);
Bool cg2_waitcalls_select(const Call* call);
Bool cg2_waitcalls_pselect(const Call* call);
Bool cg2_waitcalls_epoll_wait(const Call* call);
void cg2_waitcalls_epoll_waited(const Call* call);
void cg2_waitcalls_epoll_ctl(const Call* call);
Bool cg2_waitcalls_sigtimedwait(const Call* call);
void cg2_waitcalls_sigtimedwaited(const Call* call);

/* Holds a thread back until a file can be read or written without waiting. */
void cg2_waitcalls_until_readable(ThreadId tid, Int fd);
void cg2_waitcalls_until_writable(ThreadId tid, Int fd);

#endif
