/* Timers of the process that send it a signal: alarm and setitimer. They count
 * virtual time, and the signal comes when the program next lets the core look
 * for signals. */
#ifndef CG2_TIMERS_H
#define CG2_TIMERS_H

#include "repeat/call.h"

/* Rows that answer. */
Bool cg2_timers_alarm(const KernelRequest* call);
Bool cg2_timers_setitimer(const KernelRequest* call);
Bool cg2_timers_getitimer(const KernelRequest* call);

/* The moment at which a timer sends its signal, whoever waits; MOMENT_NEVER:
 * none does. */
ULong cg2_timers_next(void);

/* Sends the signals of timers whose time has come. */
void cg2_timers_fire(void);

/* The only thread waits in the kernel, or is back: so long the kernel's timer
 * runs, in real time. */
void cg2_timers_enter_kernel(void);
void cg2_timers_leave_kernel(void);

/* The child of a fork has none. */
void cg2_timers_forked(void);

#endif
