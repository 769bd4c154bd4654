#include "avx512/vecplaces.h"

#include "base/arena.h"
#include "base/table.h"
#include "pub_tool_aspacemgr.h"

enum { POOL_BYTES = 64 * 1024 };

typedef struct VecPlace {
   TableNode node; /* the key is the address */
   Addr address;
   UInt n;
   void* code;
   UChar bytes[]; /* n of them */
} VecPlace;

/* Reason for a mutable file-scope object: code stays, and the next one is
 * behind it. */
static struct {
   Table places;
   UChar *next, *end;
} pool;

/* Whether there is room for so many bytes of code. */
static Bool make_room(UInt size)
{
   tl_assert(size <= POOL_BYTES);
   if (pool.next && size <= (UWord)(pool.end - pool.next)) return True;
   pool.next = VG_(malloc)("cg2.avx512", POOL_BYTES);
   pool.end = pool.next + POOL_BYTES;
   const NSegment* segment = VG_(am_find_nsegment)((Addr)pool.next);
   return segment && segment->hasX;
}

void* cg2_vecplaces_find(Addr address, const UChar* bytes, UInt n)
{
   ULong hash = cg2_hash_word(0, address);
   TableNode* node = cg2_table_first(&pool.places, hash);
   for (; node; node = cg2_table_next(node)) {
      const VecPlace* place = (VecPlace*)node;
      if (place->address == address && place->n == n &&
          !VG_(memcmp)(place->bytes, bytes, n))
         return place->code;
   }
   return NULL;
}

void* cg2_vecplaces_keep(
   Addr address, const UChar* bytes, UInt n, const UChar* code, UInt size)
{
   if (!make_room(size)) return NULL;
   VecPlace* place = cg2_arena_new(sizeof *place + n);
   place->address = address;
   place->n = n;
   place->code = pool.next;
   VG_(memcpy)(place->bytes, bytes, n);
   VG_(memcpy)(place->code, code, size);
   pool.next += size;
   cg2_table_add(&pool.places, &place->node, cg2_hash_word(0, address));
   return place->code;
}
