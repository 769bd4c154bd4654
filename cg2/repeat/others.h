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
/* The latest moment that one of them has come to. */
ULong cg2_others_latest(void);
/* The program runs: others wait for it. */
void cg2_others_go_on(void);

#endif
