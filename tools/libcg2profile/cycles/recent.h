/* What a core met of late, such as lines of code that it has decoded, or
 * branches whose targets it knows at once: a cache by sets, of which each keeps
 * what came last. */
#ifndef CG2P_RECENT_H
#define CG2P_RECENT_H

#include "base/failure.h"

#include <stdbool.h>
#include <stdint.h>

enum { RECENT_WAYS_MAX = 16 };

/* The keys in all ways of all sets, those of a set from the newest on; 0: none.
 * A key may take several ways, which have it side by side. */
typedef struct Recent {
   uint64_t* keys;
   uint64_t sets, ways;
} Recent;

/* With 0 sets it is none, and cg2p_recent_meet must not be called. */
void cg2p_recent_begin(Recent* recent,
                       Failure* failure,
                       uint64_t sets,
                       uint64_t ways);
/* Meets a key that takes so many ways; whether it was there. One that takes
 * none never is. */
bool cg2p_recent_meet(Recent* recent, uint64_t key, uint32_t ways);
void cg2p_recent_lose(Recent* recent, uint64_t key);
void cg2p_recent_free(Recent* recent);

#endif
