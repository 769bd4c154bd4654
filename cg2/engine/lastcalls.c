#include "engine/lastcalls.h"

/* Reason for a mutable file-scope object: a cache, which generated code's
 * probes look into. */
LastCall cg2_lastcalls[LAST_CALLS];
