/* The record of a block, for what was read: where it counts, and its exits. */
#ifndef CG2_BLOCKRECORD_H
#define CG2_BLOCKRECORD_H

#include "translate/readblock.h"

/* The record of the block that was read, which is made if there is none. */
Block* cg2_blockrecord_find(const ReadBlock* read);

/* Makes the block known as what is translated at `address`, and returns whether
 * the block must look itself, in this translation, whether its cells count.
 * Where the core redirects, and where it goes round a redirection, an address
 * may have another translation than the one that is known: then control must
 * look when it gets there. */
Bool cg2_blockrecord_announce(const ReadBlock* read, Block* b, Addr address);

#endif
