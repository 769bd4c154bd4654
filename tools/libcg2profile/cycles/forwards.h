/* Which loads read what a store has just stored, as a run with --forwarding=yes
 * has counted it: the code alone often does not show that addresses are
 * equal. */
#ifndef CG2P_FORWARDS_H
#define CG2P_FORWARDS_H

#include "cycles/gathering.h"

/* A load reads what a store has stored, so many executions of it ago; 1 is the
 * last one. */
typedef struct Forward {
   uint32_t load, store; /* spots */
   uint32_t ago;         /* 1 to FORWARD_AGO_MAX */
   bool is_whole;        /* the store has all bytes */
   uint64_t count;
   uint64_t up_to; /* that of this load up to here */
} Forward;

enum { FORWARD_AGO_MAX = 32 };

typedef struct Forwards {
   Forward* of; /* those of a load side by side */
   size_t n, room;
   uint32_t* first; /* of each spot, and one behind the last; NULL: none */
   uint32_t*
      sources; /* number + 1 of each spot from which a load reads, or 0 */
   uint32_t n_sources;
} Forwards;

/* Reads the descriptions of all parts. What they say of code that is not in the
 * profile is left out. */
void cg2p_forwards_find(Forwards* forwards,
                        Failure* failure,
                        const cg2p_profile* profile,
                        const CycleObjects* objects);
void cg2p_forwards_free(Forwards* forwards);

#endif
