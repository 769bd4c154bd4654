/* What memory the program has, as it reads in /proc/self/maps: not Valgrind's,
 * of which some is named by the process's real number. */
#ifndef CG2_MAPS_H
#define CG2_MAPS_H

#include "base/vg.h"
#include "pub_tool_basics.h"

/* The text of the file, which the caller frees; NULL: the kernel has none. */
HChar* cg2_maps_text(void);

/* Whether other processes may see what is written at an address, or nobody
 * knows. */
Bool cg2_maps_is_shared(Addr at);

#endif
