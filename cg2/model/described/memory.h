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
 * first shared level and keeps it. */
#ifndef CG2_MEMORY_H
#define CG2_MEMORY_H

#include "model/cache/access.h"
#include "model/described/level.h"
#include "model/described/prefetcher.h"

/* By which generated code knows that an access changes nothing: it lies in one
 * line, whose address `lines` has for its set; and on a page whose address
 * `pages` has for its set. The tables never move. */
typedef struct MemoryFilter {
   const UWord* lines; /* NULL: each access has to be made */
   UInt line_bits;
   UWord line_mask;    /* sets - 1 */
   const UWord* pages; /* NULL: there are no TLBs */
   UInt page_bits;
   UWord page_mask;
} MemoryFilter;

/* What an access of a kind may count, beside itself. */
enum { MEMORY_EVENTS_MAX = PROCESSOR_LEVELS_MAX + 5, MEMORY_EVENT_TEXT = 80 };

typedef struct MemoryEvent {
   HChar name[16];
   HChar meaning[MEMORY_EVENT_TEXT];
   HChar title[20]; /* of the kinds together: "L1 misses" */
   UInt cycles;     /* that it costs, beyond the instruction */
} MemoryEvent;

/* Makes empty caches for a processor that cg2_processor_check accepts, which
 * stays valid. Private ones are the process's, or each core's. */
void cg2_memory_init(const Processor* processor, Bool has_cores);

/* Describes the events of a kind; the answer is how many they are. Bit i of an
 * access's outcome is event [i]. */
UInt cg2_memory_events(AccessKind kind, MemoryEvent* events);

/* An access of `size` bytes, at least one, by the instruction at `instr`. Of
 * data the caller passes no more than cg2_memory_data_max() bytes. */
UInt cg2_memory_access(AccessKind kind, Addr addr, UInt size, Addr instr);

/* The largest access to data, in bytes: see cg2_access_data_max(). */
UInt cg2_memory_data_max(void);

/* All accesses from now on are those of that core, from 0. */
void cg2_memory_run_on(UInt core);

MemoryFilter cg2_memory_filter(AccessKind kind);

/* Forgets all lines and pages, of all cores. */
void cg2_memory_clear(void);

#endif
