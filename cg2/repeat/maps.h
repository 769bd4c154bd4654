/* What memory the program has, as it reads in /proc/self/maps and smaps: not
 * Valgrind's, of which some is named by the process's real number. */
#ifndef CG2_MAPS_H
#define CG2_MAPS_H

#include "base/vg.h"
#include "pub_tool_basics.h"

/* The text of maps, or of smaps with its sizes, which the caller frees; NULL:
 * the kernel has none. How much of it is in the machine's memory is 0. */
HChar* cg2_maps_text(Bool has_sizes);

/* Whether other processes may see what is written at an address, or nobody
 * knows. */
Bool cg2_maps_is_shared(Addr at);

#endif
