/* Limits of resources: every program begins with the same, and has what it
 * sets. */
#ifndef CG2_LIMITS_H
#define CG2_LIMITS_H

#include "repeat/call.h"

/* Rows that change what the kernel has written, and remember what it has
 * set. */
void cg2_limits_getrlimit(const KernelRequest* call);
void cg2_limits_setrlimit(const KernelRequest* call);
void cg2_limits_prlimit(const KernelRequest* call);

/* The text of /proc/self/limits, which the caller frees. */
HChar* cg2_limits_text(void);

/* What is handed on to the program that replaces this one: behind a comma each,
 * at `text`, of LIMITS_TEXT bytes. Where it ends. */
enum { LIMITS_TEXT = 800 };
HChar* cg2_limits_hand_on(HChar* text);
void cg2_limits_inherit(const HChar* text);

#endif
