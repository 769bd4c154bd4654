#include "events/allocs.h"

#include "data/heap/allocators.h"

/* Reason for a mutable file-scope object: configuration. */
Bool cg2_allocs_are_counted;

/* Reason for a mutable file-scope object: configuration. */
static struct {
   UInt count, bytes; /* events */
} events;

static void count(const Exit* exit, UInt event, ULong n)
{
   cg2_thread_count(exit->block, exit->instr, event, n);
}

static void allocated(const Exit* exit, SizeT size)
{
   if (!exit || !exit->block || exit->kind == EXIT_RETURN) return;
   count(exit, events.count, 1);
   count(exit, events.bytes, size);
}

void cg2_allocs_start(void)
{
   if (!cg2_allocs_are_counted) return;
   events.count = cg2_event_add("Alloc", "Allocations");
   events.bytes = cg2_event_add("AllocBytes", "Allocated Bytes");
   cg2_allocators_config.allocated = allocated;
}

void cg2_allocs_note(BlockEvents* of, UInt instr)
{
   if (!cg2_allocs_are_counted) return;
   cg2_block_note_event(of,
                        (BlockEvent){.instr = instr, .event = events.count});
   cg2_block_note_event(of,
                        (BlockEvent){.instr = instr, .event = events.bytes});
}
