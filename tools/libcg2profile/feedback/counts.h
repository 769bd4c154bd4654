/* What a profile has of one object, added up over its functions, contexts,
 * threads and parts: how often instructions ran, and control went elsewhere. */
#ifndef CG2P_COUNTS_H
#define CG2P_COUNTS_H

#include "base/sums.h"
#include "profile/part.h"

/* What a transfer is, as the profile says it. */
typedef enum TransferKind { TRANSFER_JUMP, TRANSFER_CALL } TransferKind;

/* A place that is in no object, or in another one. */
#define OUTSIDE UINT64_MAX

/* Fields of records. */
enum { SPOT_ADDRESS, SPOT_COST, SPOT_MISPREDICTED, SPOT_WIDTH };
enum {
   TRANSFER_FROM,
   TRANSFER_TO,
   TRANSFER_KIND,
   TRANSFER_COUNT,
   TRANSFER_WIDTH
};

typedef struct Counts {
   Sums spots;          /* instructions, by address */
   Sums transfers;      /* by from, to and kind */
   uint64_t* addresses; /* of the spots */
   bool has_jumps;      /* false: transfers are calls alone */
} Counts;

/* Adds up what a profile has of an object; ends in a failure if it has not
 * what that needs. */
void cg2p_counts_gather(Counts* counts,
                        Failure* failure,
                        const cg2p_profile* profile,
                        const char* object);
/* Adds the record that was put behind the last one; ends in a failure if a sum
 * is too large. */
void cg2p_counts_add(Sums* sums, Failure* failure);
/* The same of cg2p_sums_add_up. */
void cg2p_counts_add_up(Sums* sums, Failure* failure);
void cg2p_counts_free(Counts* counts);

static inline uint64_t cg2p_counts_address(const Counts* counts, size_t spot)
{
   return counts->addresses[spot];
}

#endif
