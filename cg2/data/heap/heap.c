#include "data/heap/heap.h"

#include "data/heap/allocators.h"
#include "data/heap/allocsites.h"
#include "data/heap/announced.h"
#include "data/heap/heapblocks.h"
#include "data/heap/holders.h"
#include "data/heap/maps.h"

/* The version of what was found last. Reason for a mutable file-scope object:
 * one who asks is answered in two calls. */
static const UInt* version;

/* Whether anybody asks. Reason for a mutable file-scope object: configuration.
 */
static Bool is_on;

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
   is_on = True;
   cg2_allocators_config.given = given;
   cg2_allocators_config.taken = taken;
   cg2_allocators_config.left = left;
}

/*--- Looking up ---------------------------------------------------------*/

static Bool answer(const HeapStretch* s, DataPiece* piece)
{
   *piece = (DataPiece){s->start, s->end, s->origin, NULL};
   version = s->version;
   if (s->owner) piece->object = cg2_holders_get(s->owner)->object;
   return piece->object != NULL;
}

Bool cg2_heap_find(Addr address, DataPiece* piece)
{
   HeapStretch s = cg2_heapblocks_find(address);
   return answer(&s, piece);
}

Bool cg2_heap_find_map(Addr address, DataPiece* piece)
{
   HeapStretch s = cg2_heapblocks_find_map(address);
   return answer(&s, piece);
}

const UInt* cg2_heap_version(void)
{
   return version;
}

/*--- What others see ----------------------------------------------------*/

Bool cg2_heap_wants(UInt number)
{
   return is_on && cg2_maps_are_changed_by(number);
}

void cg2_heap_note_syscall(UInt number, const UWord* args, UWord result)
{
   cg2_maps_note(number, args, result);
}

void cg2_heap_note_request(const UWord* args)
{
   if (is_on) cg2_announced_note(args);
}

void cg2_heap_forked(UInt tid)
{
   cg2_allocators_forked(tid);
}
