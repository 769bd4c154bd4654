#include "events/allocs.h"

#include "data/heap/allocators.h"
#include "events/eventsconfig.h"

static void count(const Exit* exit, UInt event, ULong n)
{
   cg2_thread_count(exit->block, exit->instr, event, n);
}

static void allocated(const Exit* exit, SizeT size)
{
   if (!exit || !exit->block || exit->kind == EXIT_RETURN) return;
   count(exit, cg2_events_config.allocs.count, 1);
   count(exit, cg2_events_config.allocs.bytes, size);
}

void cg2_allocs_start(void)
{
   if (!cg2_events_config.allocs.is_on) return;
   cg2_events_config.allocs.count = cg2_event_add("Alloc", "Allocations");
   cg2_events_config.allocs.bytes =
      cg2_event_add("AllocBytes", "Allocated Bytes");
   cg2_allocators_config.allocated = allocated;
}

void cg2_allocs_note(BlockEvents* of, UInt instr)
{
   if (!cg2_events_config.allocs.is_on) return;
   cg2_block_note_event(
      of,
      (BlockEvent){.instr = instr, .event = cg2_events_config.allocs.count});
   cg2_block_note_event(
      of,
      (BlockEvent){.instr = instr, .event = cg2_events_config.allocs.bytes});
}
