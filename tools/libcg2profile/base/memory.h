/* Memory that is there or ends the operation, and records that are freed all
 * at once. */
#ifndef CG2P_MEMORY_H
#define CG2P_MEMORY_H

#include "base/failure.h"

#include <string.h>

/* `bytes` zeroed bytes, which the caller frees. */
void* cg2p_memory_allocate(Failure* failure, size_t bytes);

/* Does what cg2p_memory_grow does, also where the room is large enough. */
void* cg2p_memory_enlarge(
   Failure* failure, void* old, size_t* room, size_t wanted, size_t size);

/* Gives the array `old`, which has room for *room items of `size` bytes, room
 * for at least `wanted`, by doubling; the caller frees the result, which is
 * never NULL. What is new is not set. */
static inline void* cg2p_memory_grow(
   Failure* failure, void* old, size_t* room, size_t wanted, size_t size)
{
   if (old && wanted <= *room) return old;
   return cg2p_memory_enlarge(failure, old, room, wanted, size);
}

/* Gives an array room as cg2p_memory_grow does, and makes what is new 0. */
static inline void* cg2p_memory_grow_cleared(
   Failure* failure, void* old, size_t* room, size_t wanted, size_t size)
{
   size_t n = *room;
   if (old && wanted <= n) return old;
   char* grown = cg2p_memory_enlarge(failure, old, room, wanted, size);
   memset(grown + n * size, 0, (*room - n) * size);
   return grown;
}

/* Bytes that are only ever added and freed together. They do not move. */
typedef struct Arena {
   struct ArenaPage* pages; /* the one that is being filled first */
   size_t left;             /* bytes of it that are free */
} Arena;

/* `bytes` bytes, which are not set, aligned for any type. */
void* cg2p_arena_add(Arena* arena, Failure* failure, size_t bytes);
/* A copy of `length` bytes of text, and a 0 behind it; side by side with texts
 * that were added before. */
char* cg2p_arena_text(Arena* arena,
                      Failure* failure,
                      const char* text,
                      size_t length);
void cg2p_arena_free(Arena* arena);

#endif
