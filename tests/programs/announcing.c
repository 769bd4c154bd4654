/* An allocator of the program's own that announces its blocks to memory
   checkers, by the requests of valgrind.h. The comments say how often the
   blocks of a line are touched. */

#include "counted.h"
#include <string.h>
#include <valgrind/valgrind.h>

static char arena[65536] __attribute__((aligned(4096)));
static char* next = arena;

COUNTED void reads(volatile long* word, int n)
{
   while (n--) {
      long found = *word;
      OPAQUE(found);
   }
}

COUNTED void* give(int size)
{
   char* block = next;
   next += size + 32;
   VALGRIND_MALLOCLIKE_BLOCK(block, size, 16, 0);
   return block;
}

COUNTED void take(void* block)
{
   VALGRIND_FREELIKE_BLOCK(block, 16);
}

COUNTED void resize(void* block, int old, int size)
{
   VALGRIND_RESIZEINPLACE_BLOCK(block, old, size, 16);
}

COUNTED void blocks(void)
{
   long* block = give(64); /* a block: 5 reads, and 1 at its end */
   reads(block, 2);
   reads(block + 8, 7); /* behind it */
   resize(block, 64, 128);
   reads(block + 8, 1);
   resize(block, 128, 64);
   reads(block, 3);
   take(block);
   reads(block, 100);
}

/*--- Pools --------------------------------------------------------------*/

COUNTED void* pool_give(void* pool, int size)
{
   char* block = next;
   next += size;
   VALGRIND_MEMPOOL_ALLOC(pool, block, size);
   return block;
}

COUNTED void pool_take(void* pool, void* block)
{
   VALGRIND_MEMPOOL_FREE(pool, block);
}

COUNTED void pools(void)
{
   char pool, moved;
   VALGRIND_CREATE_MEMPOOL(&pool, 0, 0);
   long* first = pool_give(&pool, 80);  /* first: 4 reads */
   long* second = pool_give(&pool, 80); /* second: 6 reads */
   long* third = pool_give(&pool, 80);  /* third: 3 reads */
   reads(first, 4);
   reads(second, 1);
   pool_take(&pool, first);
   reads(first, 100);
   VALGRIND_MEMPOOL_TRIM(&pool, second, 40); /* third is gone, too */
   reads(second, 2);
   reads(second + 5, 100);
   reads(third, 100);
   VALGRIND_MEMPOOL_CHANGE(&pool, second, third, 80);
   reads(third + 9, 3);
   reads(second, 100);
   VALGRIND_MOVE_MEMPOOL(&pool, &moved);
   third = pool_give(&moved, 80); /* after the move: 8 reads */
   reads(third, 8);
   VALGRIND_DESTROY_MEMPOOL(&moved);
   reads(third, 100);
   memset(arena, 0, 8);
}

int main(void)
{
   blocks();
   pools();
   return 0;
}
