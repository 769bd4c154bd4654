/* What a profile says of costs, calls and jumps, each as one number.
 *
 * Every cost counts so often as the hash of its place and event says, every
 * call and jump alike, modulo 2^64. So two profiles that say the same have the
 * same numbers, in whichever order and however often they divide it; and the
 * numbers of a sum are the sums of the numbers. */
#ifndef FINGERPRINT_H
#define FINGERPRINT_H

#include "cg2profile.h"

#include <stdbool.h>

typedef struct Fingerprint {
   uint64_t costs, calls, jumps;
} Fingerprint;

/* The profile needs CG2P_LINES. Ends the run if a function's lines do not add
 * up to what the library says that it costs, or calls to arcs. */
Fingerprint fingerprint_of(const cg2p_profile* profile);

Fingerprint fingerprint_sum(Fingerprint a, Fingerprint b);

bool is_same_fingerprint(Fingerprint a, Fingerprint b);

#endif
