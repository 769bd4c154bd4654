/* Limits of resources: every program begins with the same, and has what it
 * sets. */
#ifndef CG2_LIMITS_H
#define CG2_LIMITS_H

#include "repeat/call.h"
#include "repeat/countdown.h"

/* Rows that answer: where the processor's time is limited, which is virtual. */
Bool cg2_limits_set_time(const KernelRequest* call);    /* setrlimit */
Bool cg2_limits_set_time_of(const KernelRequest* call); /* prlimit */

/* Rows that change what the kernel has written, and remember what was set. */
void cg2_limits_getrlimit(const KernelRequest* call);
void cg2_limits_setrlimit(const KernelRequest* call);
void cg2_limits_prlimit(const KernelRequest* call);

/* When the processor's time comes to its limit. */
void cg2_limits_look(Horizon* horizon);
/* The signal of the limit that it has come to: again after each second, until
 * one kills; 0: of none. */
Int cg2_limits_signal(void);

/* The text of /proc/self/limits, which the caller frees. */
HChar* cg2_limits_text(void);

/* What is handed on to the program that replaces this one: behind a comma each,
 * at `text`, of LIMITS_TEXT bytes. Where it ends. */
enum { LIMITS_TEXT = 800 };
HChar* cg2_limits_hand_on(HChar* text);
void cg2_limits_inherit(const HChar* text);

#endif
