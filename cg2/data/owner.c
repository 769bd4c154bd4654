#include "data/owner.h"

#include "arch/callvalues.h"
#include "data/elsewhere.h"
#include "data/frames.h"
#include "data/heap.h"
#include "data/statics.h"
#include "data/threadlocals.h"
#include "engine/threads.h"

/* Reason for a mutable file-scope object: memory changes hands. */
UInt cg2_owner_generation = 1;

void cg2_owner_unmapped(Addr start, SizeT size)
{
   if (!++cg2_owner_generation) cg2_owner_generation = 1;
   cg2_statics_unmapped(start, size);
}

/* The address on the stack of another thread than the one that runs. */
static Bool find_in_others(Addr address, Piece* piece)
{
   for (UInt tid = 1; tid <= cg2_threads_last(); tid++) {
      const Thread* t = cg2_threads_get(tid);
      if (t && !cg2_threads_is_running(tid) &&
          cg2_frames_find(t, cg2_callvalues_sp(tid), address, piece))
         return True;
   }
   return False;
}

/* The parts of `piece` and `free` that both have. No block lies in `free`,
 * which is found by the version that was asked for last. */
static Piece without_blocks(Piece piece, const Piece* free)
{
   if (piece.start < free->start) piece.start = free->start;
   if (piece.end > free->end) piece.end = free->end;
   return piece;
}

Piece cg2_owner_find(Addr address, const UInt** version)
{
   static const UInt never;
   Piece piece, free;
   *version = &never;
   if (cg2_frames_find(&cg2_now, cg2_callvalues_sp(cg2_now.tid), address,
                       &piece))
      return piece;
   Bool is_block = cg2_heap_find(address, &free);
   *version = cg2_heap_version();
   if (is_block) return cg2_threadlocals_find(address, &piece) ? piece : free;
   if (cg2_statics_find(address, &piece)) return without_blocks(piece, &free);
   if (find_in_others(address, &piece)) return piece;
   Bool is_map = cg2_heap_find_map(address, &piece);
   *version = cg2_heap_version();
   if (is_map) return piece;
   cg2_elsewhere_find(address, &piece);
   return without_blocks(piece, &free);
}
