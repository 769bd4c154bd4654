/* An arena: memory for records that live until the process exits.
 *
 * Blocks, functions, contexts and arcs are small, many and never freed one by
 * one; an allocator's header on each would cost more than some of them. */
#ifndef CG2_ARENA_H
#define CG2_ARENA_H

#include "base/vg.h"

/* Returns a new record of `size` bytes, zeroed, aligned to 8. Never NULL:
 * Valgrind ends the run itself when memory is exhausted. */
void* cg2_arena_new(SizeT size);

/* Returns a new record of `size` bytes, up to some thousand, zeroed, aligned to
 * 8, with byte number `first` at the start of a cache line of 64. */
void* cg2_arena_new_line(SizeT size, SizeT first);

#endif
