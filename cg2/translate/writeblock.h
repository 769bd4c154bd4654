/* Writing a block: IR that does what the block does, and counts. */
#ifndef CG2_WRITEBLOCK_H
#define CG2_WRITEBLOCK_H

#include "translate/emit.h"
#include "translate/readblock.h"

/* Writes the block that was read, whose record is `block`, into emit.out.
 * `is_guarded`: the block looks itself, in this translation, whether its cells
 * count. `offset_sp` is that of the stack pointer in the guest state. */
void cg2_writeblock_write(const ReadBlock* from,
                          Block* block,
                          Bool is_guarded,
                          Int offset_sp,
                          Emitter emit);

#endif
