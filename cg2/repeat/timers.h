/* Timers: alarm and setitimer, which send the process a signal, and all others
 * together. They count virtual time, and come before the first block that
 * begins when their time is over. */
#ifndef CG2_TIMERS_H
#define CG2_TIMERS_H

#include "repeat/call.h"
#include "repeat/timerfds.h"

/* Rows that answer. */
Bool cg2_timers_alarm(const KernelRequest* call);
Bool cg2_timers_setitimer(const KernelRequest* call);
Bool cg2_timers_getitimer(const KernelRequest* call);

/* The moment at which a timer sends its signal, whoever waits; MOMENT_NEVER:
 * none does. */
ULong cg2_timers_next(void);

/* Sends the signals of timers whose time has come, and writes to files. Whether
 * there were any. */
Bool cg2_timers_fire(void);

/* How many blocks the program may run so that no timer comes within; `most` at
 * most, and 1 at least. */
UInt cg2_timers_blocks(UInt most);

/* The only thread waits in the kernel, or is back: so long the kernel's timer
 * runs, in real time. */
void cg2_timers_enter_kernel(void);
void cg2_timers_leave_kernel(void);

/* The child of a fork has none. */
void cg2_timers_forked(void);

/* What is handed on to the program that replaces this one: behind a comma each,
 * at `text`, of TIMERS_TEXT bytes. Where it ends. */
enum { TIMERS_TEXT = 200 + TIMERFDS_TEXT };
HChar* cg2_timers_hand_on(HChar* text);
/* Reads that; returns where it ends. */
const HChar* cg2_timers_inherit(const HChar* text);

#endif
