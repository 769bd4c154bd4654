/* The cache of decoded instructions: which lines of code a core has decoded, by
 * sets, of which each keeps what was fetched last. */
#ifndef CG2P_DECODED_H
#define CG2P_DECODED_H

#include "base/failure.h"
#include "cycles/core.h"

/* The lines in all ways of all sets, those of a set from the newest on; 0:
 * none. A line of many instructions takes several ways, which have it side by
 * side. */
typedef struct Decoded {
   uint64_t* lines;
   const CoreDecoding* numbers;
} Decoded;

void cg2p_decoded_begin(Decoded* decoded,
                        Failure* failure,
                        const CoreDecoding* numbers);
/* Fetches a line that takes so many ways; whether it was there. One that takes
 * none never is. */
bool cg2p_decoded_fetch(Decoded* decoded, uint64_t line, uint32_t ways);
void cg2p_decoded_free(Decoded* decoded);

#endif
