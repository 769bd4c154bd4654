/* Timers that a program makes: timer_create and what belongs to it. They count
 * virtual time, and send their signal to the process or a thread. */
#ifndef CG2_POSIXTIMERS_H
#define CG2_POSIXTIMERS_H

#include "repeat/call.h"
#include "repeat/countdown.h"

/* Rows that answer. */
Bool cg2_posixtimers_create(const KernelRequest* call);
Bool cg2_posixtimers_settime(const KernelRequest* call);
Bool cg2_posixtimers_gettime(const KernelRequest* call);
Bool cg2_posixtimers_getoverrun(const KernelRequest* call);
Bool cg2_posixtimers_delete(const KernelRequest* call);

/* The program is told of a signal that a timer has sent: how often the timer
 * came in vain since. */
Int cg2_posixtimers_take(Int id);

/* When the first comes. */
void cg2_posixtimers_look(Horizon* horizon);
/* Sends the signals of those whose time has come; whether there were any. */
Bool cg2_posixtimers_fire(void);
/* The child of a fork has none. */
void cg2_posixtimers_forked(void);

#endif
