/* Memory that is there or ends the operation, and records that are freed all
 * at once. */
#ifndef CG2D_MEMORY_H
#define CG2D_MEMORY_H

#include "base/failure.h"

/* Bytes that are only ever added and freed together. They do not move. */
typedef struct Arena {
   struct ArenaPage* pages; /* the one that is being filled first */
   size_t left;             /* bytes of it that are free */
} Arena;

/* `bytes` zeroed bytes, aligned for any type. */
void* cg2d_arena_add(Arena* arena, Failure* failure, size_t bytes);
/* A copy of a text. */
const char* cg2d_arena_text(Arena* arena, Failure* failure, const char* text);
void cg2d_arena_free(Arena* arena);

/* Gives the array `old`, which has room for *room items of `size` bytes, room
 * for at least `wanted`, by doubling; what is new is not set. The result takes
 * the place of `old`, which whoever owns it frees. */
void* cg2d_grow(
   Failure* failure, void* old, size_t* room, size_t wanted, size_t size);

#endif
