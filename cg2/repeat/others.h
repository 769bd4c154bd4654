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
/* The program runs: others wait for it. */
void cg2_others_go_on(void);

#endif
