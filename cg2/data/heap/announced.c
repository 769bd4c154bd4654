#include "data/heap/announced.h"

#include "data/heap/allocators.h"
#include "data/heap/allocsites.h"
#include "data/heap/heapblocks.h"
#include "data/heap/holders.h"

/* Source: valgrind.h. */
enum {
   MALLOCLIKE_BLOCK = 0x1301,
   FREELIKE_BLOCK,
   CREATE_MEMPOOL,
   DESTROY_MEMPOOL,
   MEMPOOL_ALLOC,
   MEMPOOL_FREE,
   MEMPOOL_TRIM,
   MOVE_MEMPOOL,
   MEMPOOL_CHANGE,
   RESIZEINPLACE_BLOCK = 0x130b
};

/* A pool that the program has announced. */
typedef struct Mempool {
   TableNode node; /* key: the anchor */
   Addr anchor;    /* the address by which the program knows the pool */
   UInt number;    /* never used again */
   Addr* chunks;   /* where those begin that were given out; some may be gone */
   UInt n, capacity;
} Mempool;

/* Reason for a mutable file-scope object: what the process was told so far. */
static struct {
   Table pools;
   UInt n; /* all that ever were */
} mempools;

/*--- Blocks -------------------------------------------------------------*/

/* The object that a block which is announced now belongs to. NULL: an allocator
 * that is known announces it, too. */
static DataObject* place(void)
{
   UInt depth;
   const Exit* exit;
   return cg2_allocators_inside(&depth, &exit) ? NULL
                                               : cg2_allocsites_find_caller();
}

static void announce(Addr start, SizeT size)
{
   DataObject* object = place();
   if (!object) return;
   cg2_heapblocks_add_chunk(start, size, cg2_holders_number(object, 0));
   cg2_allocsites_count(object, size);
}

/* The block keeps its owner. */
static void resize(Addr start, SizeT size)
{
   Allocation a = cg2_heapblocks_remove_chunk(start);
   if (a.size) cg2_heapblocks_add_chunk(start, size, a.owner);
}

/*--- Pools --------------------------------------------------------------*/

static Mempool* pool_at(Addr anchor)
{
   TableNode* n = cg2_table_first(&mempools.pools, cg2_hash_word(0, anchor));
   while (n && ((Mempool*)n)->anchor != anchor)
      n = cg2_table_next(n);
   return (Mempool*)n;
}

static void add_pool(Mempool* pool, Addr anchor)
{
   pool->anchor = anchor;
   cg2_table_add(&mempools.pools, &pool->node, cg2_hash_word(0, anchor));
}

/* The block at `start` that is one of the pool; size 0: it is gone. */
static Allocation chunk_of(const Mempool* pool, Addr start)
{
   Allocation a = cg2_heapblocks_chunk_at(start);
   if (a.size && cg2_holders_get(a.owner)->pool != pool->number) a.size = 0;
   return a;
}

static Int compare_addresses(const void* a, const void* b)
{
   Addr x = *(const Addr*)a, y = *(const Addr*)b;
   return x < y ? -1 : x > y;
}

/* Forgets the chunks of a pool that are gone, and those that are listed twice.
 */
static void forget_gone(Mempool* pool)
{
   Addr* chunks = pool->chunks;
   UInt n = 0;
   VG_(ssort)(chunks, pool->n, sizeof *chunks, compare_addresses);
   for (UInt i = 0; i < pool->n; i++)
      if ((n == 0 || chunks[n - 1] != chunks[i]) &&
          chunk_of(pool, chunks[i]).size)
         chunks[n++] = chunks[i];
   pool->n = n;
}

/* Makes room for one more chunk: at least half of the room is for chunks that
 * are there. */
static void list(Mempool* pool, Addr start)
{
   if (pool->n == pool->capacity) forget_gone(pool);
   if (2 * pool->n >= pool->capacity) {
      pool->capacity = 2 * pool->capacity + 8;
      pool->chunks = VG_(realloc)("cg2.mempool", pool->chunks,
                                  pool->capacity * sizeof *pool->chunks);
   }
   pool->chunks[pool->n++] = start;
}

static void give(Mempool* pool, Addr start, SizeT size)
{
   DataObject* object = place();
   if (!pool || !object) return;
   cg2_heapblocks_add_chunk(start, size,
                            cg2_holders_number(object, pool->number));
   list(pool, start);
   cg2_allocsites_count(object, size);
}

/* Takes out of a pool what does not lie in a stretch. */
static void trim(Mempool* pool, Addr start, SizeT size)
{
   for (UInt i = 0; i < pool->n; i++) {
      Allocation a = chunk_of(pool, pool->chunks[i]);
      if (!a.size) continue;
      Addr low = a.start > start ? a.start : start;
      Addr end = a.start + a.size;
      if (end > start + size) end = start + size;
      if (low == a.start && end == a.start + a.size) continue;
      cg2_heapblocks_remove_chunk(a.start);
      if (low >= end) continue;
      cg2_heapblocks_add_chunk(low, end - low, a.owner);
      pool->chunks[i] = low;
   }
}

static void create(Addr anchor)
{
   if (pool_at(anchor)) return;
   Mempool* pool = VG_(calloc)("cg2.mempool", 1, sizeof *pool);
   pool->number = ++mempools.n;
   add_pool(pool, anchor);
}

static void destroy(Mempool* pool)
{
   trim(pool, 0, 0);
   cg2_table_remove(&mempools.pools, &pool->node);
   VG_(free)(pool->chunks);
   VG_(free)(pool);
}

static void move(Mempool* pool, Addr anchor)
{
   cg2_table_remove(&mempools.pools, &pool->node);
   add_pool(pool, anchor);
}

/* A chunk now begins elsewhere or has another size. */
static void change(Mempool* pool, Addr old, Addr start, SizeT size)
{
   Allocation a = chunk_of(pool, old);
   if (!a.size) return;
   cg2_heapblocks_remove_chunk(old);
   cg2_heapblocks_add_chunk(start, size, a.owner);
   if (old != start) list(pool, start);
}

/* Takes a request about the pool that args[1] is the anchor of. */
static void note_pool(const UWord* args, Mempool* pool)
{
   switch (args[0]) {
   case DESTROY_MEMPOOL:
      return destroy(pool);
   case MEMPOOL_ALLOC:
      return give(pool, args[2], args[3]);
   case MEMPOOL_FREE:
      if (chunk_of(pool, args[2]).size) cg2_heapblocks_remove_chunk(args[2]);
      return;
   case MEMPOOL_TRIM:
      return trim(pool, args[2], args[3]);
   case MOVE_MEMPOOL:
      return move(pool, args[2]);
   case MEMPOOL_CHANGE:
      return change(pool, args[2], args[3], args[4]);
   }
}

void cg2_announced_note(const UWord* args)
{
   switch (args[0]) {
   case MALLOCLIKE_BLOCK:
      return announce(args[1], args[2]);
   case FREELIKE_BLOCK:
      cg2_heapblocks_remove_chunk(args[1]);
      return;
   case RESIZEINPLACE_BLOCK:
      return resize(args[1], args[3]);
   case CREATE_MEMPOOL:
      return create(args[1]);
   case DESTROY_MEMPOOL:
   case MEMPOOL_ALLOC:
   case MEMPOOL_FREE:
   case MEMPOOL_TRIM:
   case MOVE_MEMPOOL:
   case MEMPOOL_CHANGE: {
      Mempool* pool = pool_at(args[1]);
      if (pool) note_pool(args, pool);
   }
   }
}
