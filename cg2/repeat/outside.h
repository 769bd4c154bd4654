/* The world outside: what comes from there is not repeatable, and the profile
 * says so (desc: Outside:). */
#ifndef CG2_OUTSIDE_H
#define CG2_OUTSIDE_H

#include "base/vg.h"

typedef enum OutsideKind {
   OUTSIDE_NOTHING,
   OUTSIDE_NETWORK,
   OUTSIDE_TERMINAL,
   OUTSIDE_PERFORMANCE, /* the kernel's counters of events */
   OUTSIDE_SIGNALS,     /* of other processes, which it did not wait for */
   OUTSIDE_KINDS
} OutsideKind;

/* The program has asked for something of that kind. */
void cg2_outside_note(OutsideKind kind);
/* The process has a child, or is one, with which it may talk. */
void cg2_outside_note_relative(void);

/* Whether there are such. */
Bool cg2_outside_has_relatives(void);

/* Whether what comes out of a file that is open may come from outside. */
Bool cg2_outside_feeds(Int fd);
/* Notes that an epoll watches a file; whether any is fed from outside. */
void cg2_outside_note_watched(Int fd);
Bool cg2_outside_feeds_watched(void);

#endif
