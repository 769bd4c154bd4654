/* What happens when control arrives at a block, not as usual.
 *
 * Frames that are gone are popped, the transfer is classified (transfer.h),
 * frames are pushed, and whoever is charged for stubs on the way gets their
 * cost. Then the cells of the block's home count. */
#ifndef CG2_ARRIVAL_H
#define CG2_ARRIVAL_H

#include "engine/thread.h"

/* Lets the running thread arrive at `block`: by its last exit; or, from a block
 * whose home was a guess, at another home than the one that ran before. On
 * return cg2_now says whose cells count. All registers are in cg2_now and
 * complete. */
void cg2_arrival_at(Block* block);

/* Lets the running thread arrive at `address`, unless the block there must be
 * translated first, or looks itself. */
void cg2_arrival_go_on(Addr address);

/* Tells about a watched function, before a frame of `function` is pushed that
 * was found on the stack. */
void cg2_arrival_found(const Function* function);

/* The return address of the frame of a call of `callee` by `exit`. No code
 * returns to that of a watched function, so its frame is left by no usual
 * return. */
Addr cg2_arrival_return_address(const Exit* exit, const Function* callee);

#endif
