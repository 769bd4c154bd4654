/* Who calls whom in a part, without what calls itself. */
#ifndef CG2P_CALLS_H
#define CG2P_CALLS_H

#include "base/components.h"
#include "base/keys.h"
#include "profile/part.h"

/* All calls of one function by another; those at one source line, if lines
 * matter. */
typedef struct Call {
   uint32_t caller, callee; /* functions */
   uint32_t file; /* name of the source file; 0 if lines don't matter */
   uint64_t line;
} Call;

/* The calls of a part, caller by caller, in the order in which each caller
 * first mentions them. */
typedef struct Calls {
   Call* of;
   size_t n, room;
   uint32_t n_events;
   uint64_t* costs; /* inclusive, n_events numbers for each call */
   size_t costs_room;
   uint32_t* first; /* of each function, and the end */
   /* While calls are read by line: */
   Keys known;
   uint64_t* cost;
} Calls;

/* Collects the calls; by source line needs the part's lines. `scratch` is what
 * the caller frees. What fails leaves calls that can be freed. */
void cg2p_calls_read(Calls* calls,
                     Failure* failure,
                     Arena* scratch,
                     const Part* part,
                     bool by_line);
void cg2p_calls_free(Calls* calls);

static inline const uint64_t* cg2p_calls_cost(const Calls* calls, uint32_t call)
{
   return calls->costs + (size_t)call * calls->n_events;
}

static inline bool cg2p_calls_are_made_by(const Calls* calls, uint32_t function)
{
   return calls->first[function] < calls->first[function + 1];
}

#endif
