/* Allocations as events: how many, and of how many bytes. They are charged to
 * the instruction that called the allocator. */
#ifndef CG2_ALLOCS_H
#define CG2_ALLOCS_H

#include "engine/thread.h"

/* Adds the events, if they are wanted. Called once, before the first
 * translation. */
void cg2_allocs_start(void);

/* Notes the events of an exit, at instruction number `instr` of a block, by
 * which an allocator may be called. */
void cg2_allocs_note(BlockEvents* events, UInt instr);

#endif
