/* What the next lines of a profile need is brought into the processor's cache
 * ahead of them. Names and ids of many functions are too much for a cache; each
 * would be waited for alone, where several can come at a time. */
#ifndef CG2P_AHEAD_H
#define CG2P_AHEAD_H

#include "read/reading.h"

/* Fetches what is known of the functions that the lines in [p, end) name; what
 * does not lie there as a whole is left out. Changes nothing. */
void cg2p_ahead_fetch(const Reader* r, const char* p, const char* end);

#endif
