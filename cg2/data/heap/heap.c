#include "data/heap/heap.h"

#include "arch/guest.h"
#include "data/heap/allocators.h"
#include "data/heap/allocsites.h"
#include "data/heap/announced.h"
#include "data/heap/heapblocks.h"
#include "data/heap/holders.h"

/* Whether anybody asks. */
static Bool is_on(void)
{
   return cg2_allocators_config.given != NULL;
}

/*--- Allocators ---------------------------------------------------------*/

static void given(const Given* g)
{
   DataObject* object =
      cg2_allocsites_find(g->exit, cg2_stack_depth(&cg2_now.stack));
   UInt owner = cg2_holders_number(object, 0);
   if (g->is_open)
      cg2_heapblocks_add_open_chunk(g->start, owner);
   else if (g->is_chunk)
      cg2_heapblocks_add_chunk(g->start, g->size, owner);
   else
      cg2_heapblocks_add(LAYER_BLOCK, g->start, g->size, owner);
   if (!g->is_uncounted) cg2_allocsites_count(object, g->size);
}

static Allocation taken(Addr start, Bool is_chunk)
{
   return is_chunk ? cg2_heapblocks_remove_chunk(start)
                   : cg2_heapblocks_remove(start);
}

static void left(const Allocation* a, Bool is_chunk)
{
   if (is_chunk)
      cg2_heapblocks_add_chunk(a->start, a->size, a->owner);
   else
      cg2_heapblocks_add(LAYER_BLOCK, a->start, a->size, a->owner);
}

void cg2_heap_start(void)
{
   cg2_allocators_config.given = given;
   cg2_allocators_config.taken = taken;
   cg2_allocators_config.left = left;
}

/*--- Maps ---------------------------------------------------------------*/

/* Source: Linux's headers, for all processors that are here. */
enum { MAP_FIXED = 0x10, MAP_ANONYMOUS = 0x20, MREMAP_DONTUNMAP = 4 };

/* Whether an address is in a map of a file. */
static Bool is_of_file(Addr address)
{
   HeapStretch s = cg2_heapblocks_find_map(address);
   return s.owner && !cg2_holders_get(s.owner)->object;
}

/* Maps of files have an owner without an object. What is mapped into one is the
 * .bss of an ELF object. */
static void note_mmap(Addr start, SizeT size, UWord flags)
{
   Bool is_file =
      !(flags & MAP_ANONYMOUS) || ((flags & MAP_FIXED) && is_of_file(start));
   DataObject* object = is_file ? NULL : cg2_allocsites_find_map();
   cg2_heapblocks_add(LAYER_MAP, start, size, cg2_holders_number(object, 0));
}

/* Memory that was moved or has grown belongs to whom it did. */
static void
note_mremap(Addr old, SizeT old_size, Addr start, SizeT size, UWord flags)
{
   HeapStretch s = cg2_heapblocks_find_map(old);
   UInt owner = s.owner ? s.owner : cg2_holders_number(NULL, 0);
   if (!(flags & MREMAP_DONTUNMAP)) cg2_heapblocks_unmap(old, old_size);
   cg2_heapblocks_add(LAYER_MAP, start, size, owner);
}

Bool cg2_heap_wants(UInt number)
{
   return is_on() &&
          (number == GUEST_SYSCALL_MMAP || number == GUEST_SYSCALL_MUNMAP ||
           number == GUEST_SYSCALL_MREMAP);
}

void cg2_heap_note_syscall(UInt number, const UWord* args, UWord result)
{
   if (number == GUEST_SYSCALL_MMAP)
      note_mmap(result, args[1], args[3]);
   else if (number == GUEST_SYSCALL_MUNMAP)
      cg2_heapblocks_unmap(args[0], args[1]);
   else
      note_mremap(args[0], args[1], result, args[2], args[3]);
}

/*--- Looking up ---------------------------------------------------------*/

static Bool answer(const HeapStretch* s, DataPiece* piece, const UInt** version)
{
   *piece = (DataPiece){s->start, s->end, s->origin, NULL};
   *version = s->version;
   if (s->owner) piece->object = cg2_holders_get(s->owner)->object;
   return piece->object != NULL;
}

Bool cg2_heap_find(Addr address, DataPiece* piece, const UInt** version)
{
   HeapStretch s = cg2_heapblocks_find(address);
   return answer(&s, piece, version);
}

Bool cg2_heap_find_map(Addr address, DataPiece* piece, const UInt** version)
{
   HeapStretch s = cg2_heapblocks_find_map(address);
   return answer(&s, piece, version);
}

/*--- What others see ----------------------------------------------------*/

void cg2_heap_note_request(const UWord* args)
{
   if (is_on()) cg2_announced_note(args);
}

void cg2_heap_forked(UInt tid)
{
   cg2_allocators_forked(tid);
}
