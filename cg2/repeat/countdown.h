/* What all kinds of timers share: they count down virtual time, and come once
 * or again and again. */
#ifndef CG2_COUNTDOWN_H
#define CG2_COUNTDOWN_H

#include "base/vg.h"
#include "pub_tool_basics.h"

/* Times are nanoseconds of the clock that it counts. */
typedef struct Countdown {
   ULong due;        /* 0: it is not set */
   ULong period;     /* 0: it comes once */
   Bool is_of_spent; /* it counts what threads spend, else all time */
} Countdown;

/* Sets it to come at `due`, in the past, too; 0 ends it. */
void cg2_countdown_set(Countdown* timer, ULong due, ULong period);
/* The time of the clock that it counts. */
ULong cg2_countdown_time(const Countdown* timer);
/* What is left; 0: it is not set. Else at least 1. */
ULong cg2_countdown_left(const Countdown* timer);
/* How often it has come since the last call; it goes on to the next time. */
ULong cg2_countdown_pass(Countdown* timer);

/* When the first of several timers comes; MOMENT_NEVER: none does. */
typedef struct Horizon {
   ULong of_all;   /* in all time */
   ULong of_spent; /* in that which threads spend */
} Horizon;

/* Takes a timer in. */
void cg2_countdown_look(Horizon* horizon, const Countdown* timer);

/* Whether timers can count a clock of the kernel's; if so, has the timer count
 * it. 0, or the negative error that the kernel gives. */
Word cg2_countdown_choose(Countdown* timer, UWord clock);
/* Writes a struct itimerspec to the program. 0, or -EFAULT. */
Word cg2_countdown_tell(const Countdown* timer, Addr to);
/* Sets it as a struct itimerspec of the program says: to a moment of the
 * clock, or for a span. Writes to `old` what was before, if that is not 0. 0,
 * or a negative error. */
Word cg2_countdown_settime(
   Countdown* timer, UWord clock, Bool is_moment, Addr new, Addr old);

#endif
