#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void* cg2p_memory_allocate(Failure* failure, size_t bytes)
{
   void* made = calloc(1, bytes ? bytes : 1);
   if (!made) cg2p_failure_memory(failure, bytes);
   return made;
}

void* cg2p_memory_enlarge(
   Failure* failure, void* old, size_t* room, size_t wanted, size_t size)
{
   enum { LEAST = 16 };
   size_t more = *room ? *room : LEAST, bytes;
   while (more < wanted)
      more += more / 2 + 1;
   if (__builtin_mul_overflow(more, size, &bytes))
      cg2p_failure_memory(failure, SIZE_MAX);
   void* grown = realloc(old, bytes);
   if (!grown) cg2p_failure_memory(failure, bytes);
   *room = more;
   return grown;
}

/*--- Arenas -------------------------------------------------------------*/

enum { PAGE = 64 << 10, ALIGNMENT = 16 };

typedef struct ArenaPage {
   struct ArenaPage* next;
   size_t used;
   _Alignas(ALIGNMENT) char bytes[];
} ArenaPage;

/* `bytes` bytes behind those that are used. */
static void* add_bytes(Arena* arena, Failure* failure, size_t bytes)
{
   if (bytes > arena->left || !arena->pages) {
      size_t room = bytes > PAGE ? bytes : PAGE;
      ArenaPage* page = malloc(sizeof *page + room);
      if (!page) cg2p_failure_memory(failure, room);
      page->next = arena->pages;
      page->used = 0;
      arena->pages = page;
      arena->left = room;
   }
   void* made = arena->pages->bytes + arena->pages->used;
   arena->pages->used += bytes;
   arena->left -= bytes;
   return made;
}

void* cg2p_arena_add(Arena* arena, Failure* failure, size_t bytes)
{
   size_t gap = arena->left % ALIGNMENT;
   if (gap) add_bytes(arena, failure, gap);
   return add_bytes(arena, failure,
                    (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1));
}

char* cg2p_arena_text(Arena* arena,
                      Failure* failure,
                      const char* text,
                      size_t length)
{
   char* copy = add_bytes(arena, failure, length + 1);
   memcpy(copy, text, length);
   copy[length] = 0;
   return copy;
}

void cg2p_arena_free(Arena* arena)
{
   while (arena->pages) {
      ArenaPage* next = arena->pages->next;
      free(arena->pages);
      arena->pages = next;
   }
   arena->left = 0;
}
