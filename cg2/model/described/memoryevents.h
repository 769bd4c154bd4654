/* Memory events: what an access to the memory of a described processor may
 * count, beside itself.
 *
 * Each kind of access has a list of events, in this order: a miss of each
 * level, a miss of each level of TLBs, a dirty line written to memory, a line
 * that another thread's core had taken, a line taken from another thread's
 * core, a line that was prefetched, for each level that it would have missed
 * else. Bit i of an access's outcome is event [i] of its kind's list.
 *
 * A prefetched line counts once, for the access that first asks for it where it
 * was brought: in that level, and in each further one that the prefetch missed.
 */
#ifndef CG2_MEMORYEVENTS_H
#define CG2_MEMORYEVENTS_H

#include "model/cache/machine.h"
#include "model/described/processor.h"

enum { MEMORY_EVENTS_MAX = 2 * PROCESSOR_LEVELS_MAX + 5 };
_Static_assert((int)MEMORY_EVENTS_MAX <= (int)MACHINE_EVENTS_MAX,
               "a machine has room for these events");

/* The bits of outcomes that are not misses of caches, whose bits are 1 <<
 * depth. 0: the processor has no such event. */
typedef struct MemoryBits {
   UInt tlb_miss[2]; /* of the first and of the second level of TLBs */
   UInt dirty;       /* a dirty line was written to memory */
   UInt lost;        /* another core had taken the line */
   UInt takes;       /* the line is taken from another core */
   /* Where the bits of levels are, by depth, in which accesses of a kind would
      have missed but for a prefetcher. */
   UInt brought_shift[ACCESS_KINDS];
} MemoryBits;

/* Describes the events of a kind of access, from events[0] on. Returns how many
 * they are, at most MEMORY_EVENTS_MAX. */
UInt cg2_memoryevents_describe(const Processor* processor,
                               Bool has_cores,
                               AccessKind kind,
                               MachineEvent* events);

/* The bits of outcomes, where cg2_memoryevents_describe() has the events. */
MemoryBits cg2_memoryevents_bits(const Processor* processor, Bool has_cores);

#endif
