/* The other processes of the run, and how far they have come. */
#ifndef CG2_OTHERS_H
#define CG2_OTHERS_H

#include "base/vg.h"
#include "pub_tool_basics.h"

/* Whether all others have reached a moment, have ended, or sleep, and go on to
 * sleep while this is asked again. A few real seconds are the most: then the
 * answer is yes. */
Bool cg2_others_have_reached(ULong moment);

#endif
