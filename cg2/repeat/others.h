/* The other processes of the run, and how far they have come. */
#ifndef CG2_OTHERS_H
#define CG2_OTHERS_H

#include "base/vg.h"
#include "pub_tool_basics.h"

/* Whether all others have reached a moment, have ended, or sleep, and go on to
 * sleep while this is asked again. Of several that ask, the one with the
 * earliest moment is first. A minute of real time in which none gets on is the
 * most: then the answer is yes. */
Bool cg2_others_have_reached(ULong moment);
/* The same, asked by a process that goes on now: nobody does anything more for
 * now, but those who have come to a limit. */
Bool cg2_others_are_done(ULong limit);
/* The process waits until a moment, unless another one does something: its
 * threads have looked since some real time, and nothing had happened. Lets the
 * others do something. */
void cg2_others_rest(ULong until, ULong looked);
/* Lets the others do something while it is asked again. */
void cg2_others_nap(void);
/* The latest moment that one of them has come to. */
ULong cg2_others_latest(void);
/* The program runs, or asks the kernel: others wait for it. */
void cg2_others_go_on(void);

#endif
