#include "avx512/vecplaces.h"

#include "arch/thunk.h"
#include "avx512/vecconfig.h"
#include "base/arena.h"

typedef struct VecPlace {
   TableNode node; /* the key is the address */
   Addr address;
   UInt n;
   void* code;
   UChar bytes[]; /* n of them */
} VecPlace;

void* cg2_vecplaces_find(Addr address, const UChar* bytes, UInt n)
{
   ULong hash = cg2_hash_word(0, address);
   TableNode* node = cg2_table_first(&cg2_vec.places, hash);
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
   void* kept = cg2_thunk_keep(code, size);
   if (!kept) return NULL;
   VecPlace* place = cg2_arena_new(sizeof *place + n);
   place->address = address;
   place->n = n;
   place->code = kept;
   VG_(memcpy)(place->bytes, bytes, n);
   cg2_table_add(&cg2_vec.places, &place->node, cg2_hash_word(0, address));
   return kept;
}
