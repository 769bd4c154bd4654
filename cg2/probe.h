/* What generated code calls. */
#ifndef CG2_PROBE_H
#define CG2_PROBE_H

#include "thread.h"

/* Control has arrived at `block`, and the block's home is not the one that ran
 * before, or a call or return was executed. How it came is in cg2_now. On
 * return cg2_now says whose cells count. */
VG_REGPARM(1) void cg2_probe_enter(Block* block);

#endif
