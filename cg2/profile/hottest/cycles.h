/* Who can reach whom by calls: cycles of contexts. */
#ifndef CG2_CYCLES_H
#define CG2_CYCLES_H

#include "engine/graph.h"

/* The calls that a profile shows, by caller. Contexts are told by their
 * numbers. */
typedef struct CycleCalls {
   UInt n;           /* contexts */
   UInt* first;      /* of each its first call in `arcs`; [n]: the end */
   const Arc** arcs; /* caller by caller */
} CycleCalls;

/* The cycle of each context, by number: contexts are in one cycle if each
 * reaches the other. Most are alone in theirs. To be freed with VG_(free). */
UInt* cg2_cycles_find(const CycleCalls* calls);

#endif
