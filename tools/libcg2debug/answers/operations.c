/* What instructions need and give, by machine code. */
#include "dwarf/object.h"
#include "machine/image.h"
#include "machine/operation.h"

#include <stdlib.h>

enum { LONGEST = 16 }; /* bytes of an instruction */

/* The instructions that are taken apart. */
typedef struct OperationWalk {
   cg2d_object* object;
   Failure* failure;
   Decoder decoder;
   const uint8_t* bytes; /* from the address `low` on */
   uint64_t low;
   size_t length;
} OperationWalk;

/* The bytes from an address on that is in another segment than those before. */
static void move_to(OperationWalk* walk, uint64_t address, uint64_t last)
{
   if (walk->bytes && address - walk->low < walk->length) return;
   walk->low = address;
   walk->bytes =
      cg2d_image_bytes_at(walk->object, address, last + LONGEST, &walk->length);
}

/* What is not known goes on to the next address, if that is near enough. */
static void
guess_length(cg2p_operation* operation, uint64_t address, const uint64_t* next)
{
   bool is_near = next && *next - address < LONGEST;
   if (!operation->step.length && is_near)
      operation->step.length = *next - address;
}

static const cg2p_operation*
find_operations(OperationWalk* walk, const uint64_t* addresses, size_t n)
{
   if (setjmp(walk->failure->caught)) return NULL;
   cg2p_operation* all = cg2p_arena_add(&walk->object->arena, walk->failure,
                                        (n + 1) * sizeof *all);
   if (!cg2d_decoder_begin(&walk->decoder))
      cg2p_failure_memory(walk->failure, 0);
   for (size_t i = 0; i < n; i++) {
      move_to(walk, addresses[i], addresses[n - 1]);
      uint64_t inner = addresses[i] - walk->low;
      size_t left = walk->length > inner ? walk->length - inner : 0;
      cg2d_operation_decode(&walk->decoder, left ? walk->bytes + inner : NULL,
                            left, addresses[i], &all[i]);
      guess_length(&all[i], addresses[i], i + 1 < n ? &addresses[i + 1] : NULL);
   }
   return all;
}

const cg2p_operation* cg2d_object_operations(cg2d_object* object,
                                             const uint64_t* addresses,
                                             size_t n,
                                             cg2p_error* error)
{
   Failure failure = {.path = object->path, .error = error};
   bool is_arm = cg2d_object_is_aarch64(object);
   OperationWalk walk = {.object = object,
                         .failure = &failure,
                         .decoder = {.arena = &object->arena,
                                     .failure = &failure,
                                     .word = object->word,
                                     .is_arm = is_arm}};
   if (!is_arm && !cg2d_object_is_x86(object)) {
      cg2p_failure_say(error, CG2D_NO_DEBUG, object->path,
                       "its machine code is of another processor; expected "
                       "x86, amd64 or aarch64");
      return NULL;
   }
   const cg2p_operation* found = find_operations(&walk, addresses, n);
   cg2d_decoder_end(&walk.decoder);
   return found;
}
