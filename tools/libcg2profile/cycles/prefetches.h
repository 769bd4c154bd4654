/* Instructions that prefetch: which misses they hide. Caches are simulated
 * without them, as Valgrind's processor leaves them out. */
#ifndef CG2P_PREFETCHES_H
#define CG2P_PREFETCHES_H

#include "cycles/controlgraph.h"

/* Counts misses of the last level as its hits, and as lines that were brought
 * from memory: in each function as large a share of them as it prefetches of
 * the lines that it misses. Which ones is not known. How early is not, either:
 * prefetches of zstd hide memory, but not the last level. */
void cg2p_prefetches_hide(Gathering* gathering,
                          Failure* failure,
                          const ControlGraph* graph);

#endif
