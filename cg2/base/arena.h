/* An arena: memory for records that live until the process exits.
 *
 * Blocks, functions, contexts and arcs are small, many and never freed one by
 * one; an allocator's header on each would cost more than some of them. */
#ifndef CG2_ARENA_H
#define CG2_ARENA_H

#include "base/vg.h"

/* `size` bytes, zeroed, aligned to 8. Never NULL: Valgrind ends the run itself
 * when memory is exhausted. */
void* cg2_arena_new(SizeT size);

/* Likewise for up to some thousand bytes, with byte number `first` at the start
 * of a cache line of 64. */
void* cg2_arena_new_line(SizeT size, SizeT first);

#endif
