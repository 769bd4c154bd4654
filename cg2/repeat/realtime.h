/* Real time, which the program knows nothing of. */
#ifndef CG2_REALTIME_H
#define CG2_REALTIME_H

#include "pub_tool_basics.h"

/* Nanoseconds since some moment, the same for all processes. */
ULong cg2_realtime_now(void);

/* Lets other processes do something, for so many half milliseconds. */
void cg2_realtime_nap(UInt n);

#endif
