#include "scarcity.h"

#include <errno.h>
#include <stdlib.h>

/* What AddressSanitizer has in place of the C library's. */
void* __interceptor_malloc(size_t bytes);
void* __interceptor_calloc(size_t n, size_t bytes);
void* __interceptor_realloc(void* old, size_t bytes);
void __interceptor_free(void* block);

static struct {
   bool has_failed;
   size_t n; /* allocations since it began */
   Scarcity asked;
   _Atomic size_t blocks; /* of all threads */
} now;

/* Allocations of this thread fail. The sanitizer itself needs memory when
 * another thread begins, and ends the program without. */
static _Thread_local bool is_scarce;

void scarcity_begin(Scarcity scarcity)
{
   now.asked = scarcity;
   now.n = 0;
   now.has_failed = false;
   is_scarce = true;
}

bool scarcity_end(void)
{
   is_scarce = false;
   return now.has_failed;
}

size_t scarcity_blocks(void)
{
   return now.blocks;
}

/* Whether this allocation fails. */
static bool fails(void)
{
   if (!is_scarce) return false;
   size_t number = now.n++;
   bool is_asked = now.asked.is_lasting ? number >= now.asked.first
                                        : number == now.asked.first;
   if (!is_asked) return false;
   now.has_failed = true;
   errno = ENOMEM;
   return true;
}

static void* counted(void* block)
{
   now.blocks += block != NULL;
   return block;
}

void* malloc(size_t bytes)
{
   return fails() ? NULL : counted(__interceptor_malloc(bytes));
}

void* calloc(size_t n, size_t bytes)
{
   return fails() ? NULL : counted(__interceptor_calloc(n, bytes));
}

void* realloc(void* old, size_t bytes)
{
   if (fails()) return NULL;
   void* block = __interceptor_realloc(old, bytes);
   return old ? block : counted(block);
}

void free(void* block)
{
   now.blocks -= block != NULL;
   __interceptor_free(block);
}
