/* Timers that are files: timerfd_create. The program gets an eventfd in place
 * of one, to which the tool writes how often the timer has come: so that read,
 * poll, dup and processes that share it do what they do with the kernel's. */
#ifndef CG2_TIMERFDS_H
#define CG2_TIMERFDS_H

#include "repeat/call.h"
#include "repeat/countdown.h"

/* Rows that answer. */
Bool cg2_timerfds_create(const KernelRequest* call);
Bool cg2_timerfds_settime(const KernelRequest* call);
Bool cg2_timerfds_gettime(const KernelRequest* call);
/* A row that changes: a file is no longer there. */
void cg2_timerfds_closed(const KernelRequest* call);

/* Whether a file is such a timer. */
Bool cg2_timerfds_has(Int fd);

/* When the first comes. */
void cg2_timerfds_look(Horizon* horizon);
/* Writes to those whose time has come; whether there were any. */
Bool cg2_timerfds_fire(void);
/* A child has the files, and its parent writes to them. */
void cg2_timerfds_forked(void);

/* What is handed on to the program that replaces this one: behind a comma each,
 * at `text`, of TIMERFDS_TEXT bytes, as many timers as have room. Where it
 * ends. */
enum { TIMERFDS_TEXT = 2000 };
HChar* cg2_timerfds_hand_on(HChar* text);
/* Reads that; returns where it ends. */
const HChar* cg2_timerfds_inherit(const HChar* text);

#endif
