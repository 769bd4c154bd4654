#include "arena.h"

enum { CHUNK_BYTES = 64 * 1024 };

/* The chunk that is being filled. Process-wide: a record's owner is the
 * structure that links it, not the arena. */
static struct {
   HChar* next;
   SizeT left;
} chunk;

void* cg2_arena_new(SizeT size)
{
   size = (size + 7) & ~(SizeT)7;
   if (size > CHUNK_BYTES / 4) return VG_(calloc)("cg2.arena.big", 1, size);
   if (size > chunk.left) {
      chunk.next = VG_(calloc)("cg2.arena", 1, CHUNK_BYTES);
      chunk.left = CHUNK_BYTES;
   }
   void* record = chunk.next;
   chunk.next += size;
   chunk.left -= size;
   return record;
}
