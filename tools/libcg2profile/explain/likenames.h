/* Whether two names are like one another, as those of a function before and
 * after somebody renamed it. */
#ifndef CG2P_LIKENAMES_H
#define CG2P_LIKENAMES_H

#include "base/memory.h"
#include "base/text.h"

/* Room to compare names in; begins as zeroes. */
typedef struct LikeNames {
   uint32_t* lengths;
   size_t room;
} LikeNames;

/* Whether more than six of ten bytes of both are the same: at both ends, or in
 * order. Names of more than 1,000 bytes are compared at their ends alone. */
bool cg2p_likenames_are(LikeNames* room, Failure* failure, Text a, Text b);
void cg2p_likenames_free(LikeNames* room);

#endif
