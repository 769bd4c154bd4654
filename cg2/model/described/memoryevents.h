/* Memory events: what an access to the memory of a described processor may
 * count, beside itself.
 *
 * Each kind of access has a list of events, in this order: a miss of each
 * level, a miss of each level of TLBs, a dirty line written to memory, a line
 * that another thread's core had taken, a line taken from another thread's
 * core. Bit i of an access's outcome is event [i] of its kind's list. */
#ifndef CG2_MEMORYEVENTS_H
#define CG2_MEMORYEVENTS_H

#include "model/cache/access.h"
#include "model/described/processor.h"

enum { MEMORY_EVENTS_MAX = PROCESSOR_LEVELS_MAX + 5, MEMORY_EVENT_TEXT = 80 };

typedef struct MemoryEvent {
   HChar name[16];                   /* a column of the profile: "D1mr" */
   HChar meaning[MEMORY_EVENT_TEXT]; /* the same in words */
   HChar title[20]; /* a name for all kinds of accesses together: "L1 misses" */
   UInt cycles;     /* what the event costs, beyond the instruction */
} MemoryEvent;

/* The bits of outcomes that are not misses of caches, whose bits are 1 <<
 * depth. 0: the processor has no such event. */
typedef struct MemoryBits {
   UInt tlb_miss[2]; /* of the first and of the second level of TLBs */
   UInt dirty;       /* a dirty line was written to memory */
   UInt lost;        /* another core had taken the line */
   UInt takes;       /* the line is taken from another core */
} MemoryBits;

/* Describes the events of a kind of access, from events[0] on. Returns how many
 * they are, at most MEMORY_EVENTS_MAX. */
UInt cg2_memoryevents_describe(const Processor* processor,
                               Bool has_cores,
                               AccessKind kind,
                               MemoryEvent* events);

/* The bits of outcomes, where cg2_memoryevents_describe() has the events. */
MemoryBits cg2_memoryevents_bits(const Processor* processor, Bool has_cores);

#endif
