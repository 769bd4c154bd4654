/* The machine as files say it: /proc/cpuinfo and others, which the tool writes
 * itself. */
#ifndef CG2_MACHINEFILES_H
#define CG2_MACHINEFILES_H

#include "base/vg.h"
#include "pub_tool_basics.h"

#define MACHINEFILES_MEMORY  (8ULL << 30) /* bytes */
#define MACHINEFILES_NODE    "cg2"
#define MACHINEFILES_RELEASE "6.1.0"
#define MACHINEFILES_VERSION "#1 SMP"

/* What a file says, to be freed; NULL: it is none of these. */
HChar* cg2_machinefiles_text(const HChar* path);

#endif
