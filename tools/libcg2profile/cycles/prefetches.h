/* Instructions that prefetch: which misses they hide. Caches are simulated
 * without them, as Valgrind's processor leaves them out. */
#ifndef CG2P_PREFETCHES_H
#define CG2P_PREFETCHES_H

#include "cycles/controlgraph.h"

/* Counts misses as lines that were brought in time: in each function as large
 * a share of them as it prefetches lines. Which ones is not known. */
void cg2p_prefetches_hide(Gathering* gathering,
                          Failure* failure,
                          const ControlGraph* graph);

#endif
