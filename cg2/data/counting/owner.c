#include "data/counting/owner.h"

#include "arch/callvalues.h"
#include "data/counting/frames.h"
#include "data/counting/othermemory.h"
#include "data/heap/heap.h"
#include "data/static/statics.h"
#include "data/static/threadlocals.h"
#include "engine/threads.h"

/* Reason for a mutable file-scope object: memory changes hands, and what was
 * found is kept, as to find it takes long. */
Owners cg2_owners = {.generation = 1};

void cg2_owner_change(void)
{
   if (!++cg2_owners.generation) cg2_owners.generation = 1;
}

void cg2_owner_unmapped(Addr start, SizeT size)
{
   cg2_owner_change();
   cg2_statics_unmapped(start, size);
   cg2_othermemory_unmapped();
}

/* The address on the stack of another thread than the one that runs. */
static Bool find_in_others(Addr address, DataPiece* piece)
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
static DataPiece without_blocks(DataPiece piece, const DataPiece* free)
{
   if (piece.start < free->start) piece.start = free->start;
   if (piece.end > free->end) piece.end = free->end;
   return piece;
}

/*--- What is known ------------------------------------------------------*/

static OwnerPiece* known_at(Addr address)
{
   return &cg2_owners.pieces[(address >> OWNER_PAGE_BITS) & (OWNER_PAGES - 1)];
}

static inline Bool is_right(const OwnerPiece* k, Addr address)
{
   return address - k->piece.start < k->piece.end - k->piece.start &&
          k->generation == cg2_owners.generation &&
          *k->version == k->version_then;
}

/* Notes the piece that an address is in, if it is larger than a page. */
static DataPiece keep(DataPiece piece, Addr address, const UInt* version)
{
   if (piece.end - piece.start > (Addr)1 << OWNER_PAGE_BITS)
      *known_at(address) =
         (OwnerPiece){piece, version, *version, cg2_owners.generation};
   return piece;
}

/* Whether a stack or thread-local variables are in a piece that do not belong
 * to its object. */
static Bool is_of_thread(const DataPiece* piece)
{
   if (cg2_threadlocals_are_in(piece->start, piece->end)) return True;
   for (UInt tid = 1; tid <= cg2_threads_last(); tid++)
      if (cg2_threads_get(tid) &&
          cg2_callvalues_sp(tid) - piece->start < piece->end - piece->start)
         return True;
   return False;
}

/* The same for a piece of memory that is not only its object's: of the address
 * alone, if a thread uses some of it. */
static DataPiece keep_shared(DataPiece piece, Addr address, const UInt* version)
{
   if (!is_of_thread(&piece)) return keep(piece, address, version);
   piece.start = address;
   piece.end = address + 1;
   return piece;
}

/*--- Finding ------------------------------------------------------------*/

/* Lets what lies at the running thread's thread pointer be known as its own. A
 * thread that has one keeps it. */
static void notice_thread(void)
{
   if (cg2_owners.pointer.tid == cg2_now.tid &&
       cg2_owners.pointer.generation == cg2_owners.generation)
      return;
   Bool is_new;
   Bool is_there = cg2_threadlocals_notice(&is_new);
   if (is_new) cg2_owner_change();
   cg2_owners.pointer.tid = is_there ? cg2_now.tid : 0;
   cg2_owners.pointer.generation = cg2_owners.generation;
}

/* The piece of an address in a block: what is thread-local may be in one. */
static DataPiece within_block(DataPiece block, Addr address)
{
   DataPiece piece;
   Bool is_local = cg2_threadlocals_may_be_in(block.start, block.end) &&
                   cg2_threadlocals_find(address, &piece);
   return is_local ? piece : block;
}

/* The piece of an address that is in no frame of the running thread. *version
 * is never changed yet. */
static DataPiece find_outside(Addr address, const UInt** version)
{
   DataPiece piece, free;
   Bool is_block = cg2_heap_find(address, &free, version);
   if (is_block) return within_block(free, address);
   if (cg2_othermemory_find_brk(address, &piece)) {
      DataPiece brk = without_blocks(piece, &free);
      if (cg2_threadlocals_find(address, &piece) ||
          find_in_others(address, &piece))
         return piece;
      return keep_shared(brk, address, *version);
   }
   if (cg2_statics_find(address, &piece))
      return keep(without_blocks(piece, &free), address, *version);
   if (find_in_others(address, &piece)) return piece;
   if (cg2_heap_find_map(address, &piece, version))
      return keep_shared(piece, address, *version);
   cg2_othermemory_find(address, &piece);
   return without_blocks(piece, &free);
}

DataPiece cg2_owner_find(Addr address, const UInt** version)
{
   static const UInt never;
   DataPiece piece;
   *version = &never;
   notice_thread();
   if (cg2_frames_find(&cg2_now, cg2_callvalues_sp(cg2_now.tid), address,
                       &piece))
      return piece;
   const OwnerPiece* k = known_at(address);
   if (!is_right(k, address)) return find_outside(address, version);
   *version = k->version;
   return k->piece;
}
