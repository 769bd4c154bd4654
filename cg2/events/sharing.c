#include "events/sharing.h"

#include "data/counting/owner.h"
#include "data/counting/pairs.h"
#include "engine/thread.h"
#include "model/described/memory.h"

/* The place of an address, as the running thread accesses it. */
static const PairPlace* place_of(Addr address)
{
   const UInt* version;
   DataPiece piece = cg2_owner_find(address, &version);
   return cg2_pairs_place(piece.object, cg2_dataobject_offset(&piece, address),
                          cg2_now.tid);
}

/* Whether a write and an access have a byte in common. */
static Bool overlaps(const MemoryTaking* by, Addr address, UInt size)
{
   return address < by->addr + by->size && by->addr < address + size;
}

void cg2_sharing_note(
   Addr address, UInt size, Bool takes, Bool misses, Bool counts)
{
   const PairPlace* here = place_of(address);
   const MemoryTaking* by = cg2_memory_lost();
   if (misses && counts && by->place)
      cg2_pairs_count(overlaps(by, address, size) ? PAIR_SHARING
                                                  : PAIR_FALSE_SHARING,
                      by->place, here);
   if (takes) cg2_memory_sign(here);
}
