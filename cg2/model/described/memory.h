/* The memory of a described processor at work: its levels of caches and TLBs,
 * of each core its own where they are private.
 *
 * An access is translated, page by page, and made, line by line. A level that
 * lacks a line takes it in, in place of another, and asks the next level for
 * it; then what was evicted goes to its victim cache or, if that has to make
 * room as well, dirty lines go on to the next level, which takes them in; a
 * level without allocation passes them on. Then the prefetcher is told. An
 * access with several lines or pages misses if one of them does.
 *
 * A write that goes through a level misses nothing further down, as nobody
 * waits for it. What prefetches and evicted lines do further down is no miss
 * either. That a dirty line is written to memory counts for the access that
 * evicted it, but not if that was a prefetch or a write on its way through.
 *
 * Cores: a write takes the line from the private caches of all others; before a
 * line is loaded that another core has written, that core writes it to the
 * first shared level and keeps it.
 *
 * What the levels are is in `memorysetup`, what outcomes mean in
 * `memoryevents`. */
#ifndef CG2_MEMORY_H
#define CG2_MEMORY_H

#include "model/described/memorysetup.h"

/* Makes an access of `size` bytes, at least one, by the instruction at `instr`.
 * An access to data has no more than cg2_memorysetup_machine.data_max() bytes.
 * Its `time` is ACCESS_TICKS later than that of any access before that went to
 * the same first level or TLB. Returns the outcome: bit i is event [i] of this
 * kind of access. */
UInt cg2_memory_access(
   AccessKind kind, Addr addr, UInt size, Addr instr, UInt time);

/* The accesses that come next are made so many bytes behind where the program
 * makes them: see layout/placement.h. */
static inline void cg2_memory_move(Addr bytes)
{
   cg2_memorysetup.moved = bytes;
}

/* The write that took the line of the last access from its core, if the
 * access's outcome says that there was one. */
const MemoryTaking* cg2_memory_lost(void);

/* Lets what the last access took from other cores be known as taken by the
 * caller's `place`. */
void cg2_memory_sign(const void* place);

#endif
