/* The world outside: what comes from there is not repeatable, and the profile
 * says so (desc: Outside:). */
#ifndef CG2_OUTSIDE_H
#define CG2_OUTSIDE_H

#include "base/vg.h"
#include "repeat/turns.h"

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

/* Whether there are such, and where what they do comes from: those that are not
 * traced are outside. */
Bool cg2_outside_has_relatives(void);
WaitSource cg2_outside_relatives(void);

/* Where that may come from which comes out of a file that is open. */
WaitSource cg2_outside_source(Int fd);
/* Notes that an epoll watches a file; where what any of them has comes from. */
void cg2_outside_note_watched(Int fd);
WaitSource cg2_outside_source_of_watched(void);

#endif
