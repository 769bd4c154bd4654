#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A piece of an arena; the bytes that were added follow it. */
typedef struct ArenaPage {
   struct ArenaPage* next;
   size_t size; /* of the bytes */
   _Alignas(16) char bytes[];
} ArenaPage;

enum { PAGE = 64 * 1024, ALIGNMENT = 16 };

static void add_page(Arena* arena, Failure* failure, size_t least)
{
   size_t size = least > PAGE ? least : PAGE;
   ArenaPage* page = calloc(1, sizeof *page + size);
   if (!page) cg2d_fail_memory(failure, size);
   page->next = arena->pages;
   page->size = size;
   arena->pages = page;
   arena->left = size;
}

void* cg2d_arena_add(Arena* arena, Failure* failure, size_t bytes)
{
   bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
   if (bytes > arena->left) add_page(arena, failure, bytes);
   ArenaPage* page = arena->pages;
   char* added = page->bytes + (page->size - arena->left);
   arena->left -= bytes;
   return added;
}

const char* cg2d_arena_text(Arena* arena, Failure* failure, const char* text)
{
   size_t length = strlen(text) + 1;
   return memcpy(cg2d_arena_add(arena, failure, length), text, length);
}

void cg2d_arena_free(Arena* arena)
{
   while (arena->pages) {
      ArenaPage* page = arena->pages;
      arena->pages = page->next;
      free(page);
   }
   arena->left = 0;
}

void* cg2d_grow(
   Failure* failure, void* old, size_t* room, size_t wanted, size_t size)
{
   if (wanted <= *room) return old;
   size_t more = *room ? *room : 16;
   while (more < wanted)
      more *= 2;
   void* grown = realloc(old, more * size);
   if (!grown) cg2d_fail_memory(failure, more * size);
   *room = more;
   return grown;
}
