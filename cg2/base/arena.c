#include "base/arena.h"

enum { CHUNK_BYTES = 64 * 1024, LINE_BYTES = 64 };

/* Memory that records are taken from, front to back. */
typedef struct ArenaRoom {
   HChar* next; /* the first byte that is still free; NULL: never had memory */
   SizeT left;  /* bytes that are free from there on */
} ArenaRoom;

/* The chunk that is being filled, and the gap that was left in it before the
 * last record that had to be aligned. Reason for a mutable file-scope object: a
 * record's owner is the structure that links it, not the arena, so the process
 * has one arena. */
static struct {
   ArenaRoom chunk, gap;
} arena;

static void begin_chunk(void)
{
   arena.chunk.next = VG_(calloc)("cg2.arena", 1, CHUNK_BYTES);
   arena.chunk.left = CHUNK_BYTES;
}

/* Cuts `size` bytes, which the piece must have, off its front. */
static void* cut(ArenaRoom* piece, SizeT size)
{
   void* record = piece->next;
   piece->next += size;
   piece->left -= size;
   return record;
}

void* cg2_arena_new(SizeT size)
{
   size = size == 0 ? 8 : (size + 7) & ~(SizeT)7;
   if (size <= arena.gap.left) return cut(&arena.gap, size);
   if (size > CHUNK_BYTES / 4) return VG_(calloc)("cg2.arena.big", 1, size);
   if (size > arena.chunk.left) begin_chunk();
   return cut(&arena.chunk, size);
}

void* cg2_arena_new_line(SizeT size, SizeT first)
{
   size = (size + 7) & ~(SizeT)7;
   if (size + LINE_BYTES > arena.chunk.left) begin_chunk();
   SizeT padding = -((Addr)arena.chunk.next + first) % LINE_BYTES;
   void* unused = cut(&arena.chunk, padding);
   if (padding > arena.gap.left) arena.gap = (ArenaRoom){unused, padding};
   return cut(&arena.chunk, size);
}
