#include "data/heap/heapblocks.h"

enum { PAGE_BITS = 12, REGION_BITS = 20 };

/* How many versions and regions are told apart; powers of two. */
enum { VERSIONS = 1 << 14, REGIONS = 1 << 12 };

/* How many maps are kept in mind; a power of two. */
enum { SEEN = 256 };

/* What is known of a map that was looked through for blocks. */
typedef struct SeenMap {
   Addr start;
   Bool is_free; /* no block was in it when its version was `version` */
   UInt version;
   UInt patience; /* for so many look-ups more blocks are taken to be in it */
} SeenMap;

/* Reason for a mutable file-scope object: the memory of the process. */
static struct {
   Allocations layers[N_LAYERS];
   UInt of_blocks[VERSIONS];  /* by a block's start */
   UInt of_pages[VERSIONS];   /* by page, of what no block covers */
   UInt of_regions[REGIONS];  /* by region, as long as it has no block */
   UInt n_in_region[REGIONS]; /* blocks and chunks that have bytes there */
   Bool has_chunks;           /* there is or was one */
   SeenMap seen[SEEN];        /* by start */
} all;

/*--- Versions -----------------------------------------------------------*/

static UInt* version_of_block(Addr start)
{
   return &all.of_blocks[cg2_hash_word(1, start) & (VERSIONS - 1)];
}

static UInt* version_of_page(UWord page)
{
   return &all.of_pages[page & (VERSIONS - 1)];
}

/* How many pages or regions of a table of `most` a stretch lies in. */
static UWord count_parts(Addr start, SizeT size, UInt bits, UInt most)
{
   UWord n = ((start + size - 1) >> bits) - (start >> bits) + 1;
   return n < most ? n : most;
}

/* Changes the versions of what no block covered in a stretch. */
static void change_free(Addr start, SizeT size)
{
   UWord n = count_parts(start, size, PAGE_BITS, VERSIONS);
   for (UWord i = 0; i < n; i++)
      ++*version_of_page((start >> PAGE_BITS) + i);
   n = count_parts(start, size, REGION_BITS, REGIONS);
   for (UWord i = 0; i < n; i++)
      all.of_regions[((start >> REGION_BITS) + i) & (REGIONS - 1)]++;
}

/* Counts a block or chunk in its regions, or, with `step` -1, no more. */
static void count_in_regions(Allocation a, Int step)
{
   UWord n = count_parts(a.start, a.size, REGION_BITS, REGIONS);
   for (UWord i = 0; i < n; i++) {
      UInt region = ((a.start >> REGION_BITS) + i) & (REGIONS - 1);
      if (!all.n_in_region[region]) all.of_regions[region]++;
      all.n_in_region[region] += step;
   }
}

/* Changes the versions of the pages that a block or chunk has bytes in. */
static void change_pages(Allocation a)
{
   UWord n = count_parts(a.start, a.size, PAGE_BITS, VERSIONS);
   for (UWord i = 0; i < n; i++)
      ++*version_of_page((a.start >> PAGE_BITS) + i);
}

/*--- Coming and going ---------------------------------------------------*/

/* Notes that a block is gone, which was of a layer and is removed there. What
 * chunks left of it was found by page. */
static void note_gone(HeapLayer layer, Allocation a)
{
   ++*version_of_block(a.start);
   if (all.has_chunks) change_pages(a);
   if (layer != LAYER_MAP) count_in_regions(a, -1);
}

/* Removes all that has bytes in a stretch from a layer, with what lies in it in
 * those above. Most layers are empty. */
static void remove_from(HeapLayer layer, Addr start, SizeT size)
{
   if (layer == N_LAYERS) return;
   for (Allocation a;
        (a = cg2_allocations_first(&all.layers[layer], start, size)).size;) {
      cg2_allocations_remove(&all.layers[layer], a.start);
      note_gone(layer, a);
      remove_from(layer + 1, a.start, a.size);
   }
   remove_from(layer + 1, start, size);
}

/* Changes the versions of what has bytes in a stretch in a layer. */
static void change_blocks(HeapLayer layer, Addr start, SizeT size)
{
   Addr last = start + size - 1;
   for (Allocation a;
        (a = cg2_allocations_first(&all.layers[layer], start, size)).size;) {
      ++*version_of_block(a.start);
      Addr last_of_a = a.start + a.size - 1;
      if (last_of_a >= last) return;
      start = last_of_a + 1;
      size = last - last_of_a;
   }
}

static void add(HeapLayer layer, Addr start, SizeT size, UInt owner)
{
   if (!size) size = 1;
   if (layer > LAYER_BLOCK) all.has_chunks = True;
   Allocation a = {start, size, owner};
   remove_from(layer, start, size);
   cg2_allocations_add(&all.layers[layer], start, size, owner);
   for (UInt lower = 0; lower < layer; lower++)
      change_blocks(lower, start, size);
   count_in_regions(a, 1);
   change_pages(a);
}

/* Cuts a stretch out of the maps. */
static void cut_maps(Addr start, SizeT size)
{
   change_blocks(LAYER_MAP, start, size);
   cg2_allocations_cut(&all.layers[LAYER_MAP], start, size);
   change_free(start, size);
}

void cg2_heapblocks_add(HeapLayer layer, Addr start, SizeT size, UInt owner)
{
   if (layer != LAYER_MAP) {
      add(layer, start, size, owner);
      return;
   }
   cg2_heapblocks_unmap(start, size);
   cg2_allocations_add(&all.layers[LAYER_MAP], start, size, owner);
}

static Bool contains(Allocation a, Addr start, SizeT size)
{
   return a.size > size && start - a.start <= a.size - size;
}

void cg2_heapblocks_add_chunk(Addr start, SizeT size, UInt owner)
{
   Allocation outer = cg2_allocations_find(&all.layers[LAYER_CHUNK], start);
   add(contains(outer, start, size) ? LAYER_INNER : LAYER_CHUNK, start, size,
       owner);
}

/* Where the block or map ends that an address lies in, or else its page. */
static Addr end_around(Addr address)
{
   Allocation a = cg2_allocations_find(&all.layers[LAYER_BLOCK], address);
   if (!a.size) a = cg2_allocations_find(&all.layers[LAYER_MAP], address);
   return a.size ? a.start + a.size : ((address >> PAGE_BITS) + 1) << PAGE_BITS;
}

static Allocation remove_at(HeapLayer layer, Addr start)
{
   Allocation a = cg2_allocations_remove(&all.layers[layer], start);
   if (!a.size) return a;
   note_gone(layer, a);
   remove_from(layer + 1, a.start, a.size);
   return a;
}

void cg2_heapblocks_add_open_chunk(Addr start, UInt owner)
{
   Allocations* chunks = &all.layers[LAYER_CHUNK];
   Allocation before = cg2_allocations_find(chunks, start);
   if (before.size) {
      remove_at(LAYER_CHUNK, before.start);
      if (before.start < start)
         add(LAYER_CHUNK, before.start, start - before.start, before.owner);
   }
   SizeT room = end_around(start) - start;
   Allocation next = cg2_allocations_first(chunks, start, room);
   if (next.size) room = next.start - start;
   add(LAYER_CHUNK, start, room, owner);
}

Allocation cg2_heapblocks_remove(Addr start)
{
   return remove_at(LAYER_BLOCK, start);
}

Allocation cg2_heapblocks_remove_chunk(Addr start)
{
   Allocation a = remove_at(LAYER_INNER, start);
   return a.size ? a : remove_at(LAYER_CHUNK, start);
}

void cg2_heapblocks_unmap(Addr start, SizeT size)
{
   if (!size) return;
   remove_from(LAYER_BLOCK, start, size);
   cut_maps(start, size);
}

/*--- Looking up ---------------------------------------------------------*/

/* An address behind the end of a stretch; the last of all if it has none. */
static Addr end_or_last(Addr end)
{
   return end ? end : ~(Addr)0;
}

/* Makes a stretch around an address, in which no block of the layers from
 * `layer` on lies, as large as is easily known. */
static void shrink_to_page(HeapStretch* s, HeapLayer layer, Addr address)
{
   Addr low = address >> PAGE_BITS << PAGE_BITS;
   Addr high = end_or_last(low + ((Addr)1 << PAGE_BITS));
   if (low < s->start) low = s->start;
   if (high > s->end) high = s->end;
   for (UInt i = layer; i < N_LAYERS; i++)
      if (all.layers[i].n)
         cg2_allocations_narrow(&all.layers[i], address, &low, &high);
   s->start = low;
   s->end = high;
   s->version = version_of_page(address >> PAGE_BITS);
}

/* Whether no block or chunk has bytes in the regions of a stretch. */
static Bool is_in_free_regions(Addr start, SizeT size)
{
   UWord n = count_parts(start, size, REGION_BITS, REGIONS);
   UWord i = 0;
   while (i < n &&
          !all.n_in_region[((start >> REGION_BITS) + i) & (REGIONS - 1)])
      i++;
   return i == n;
}

/* Whether a layer from `layer` on has anything in a stretch. */
static Bool is_covered(HeapLayer layer, Addr start, SizeT size)
{
   for (UInt i = layer; i < N_LAYERS; i++)
      if (cg2_allocations_first(&all.layers[i], start, size).size) return True;
   return False;
}

/* Whether a block or chunk may lie in a map. To look through all of its pages
 * each time took more time than all else with Python's arenas, so the answer is
 * kept: that there is none as long as the map's version is the same, which
 * blocks that come into it change. */
static Bool map_may_be_covered(Addr start, SizeT size)
{
   enum { SIZE_MAX = 1 << 24, PATIENCE = 1024 };
   SeenMap* map = &all.seen[cg2_hash_word(2, start) & (SEEN - 1)];
   UInt version = *version_of_block(start);
   if (is_in_free_regions(start, size)) return False;
   if (size > SIZE_MAX) return True;
   if (map->start != start) *map = (SeenMap){.start = start};
   if (map->patience) {
      map->patience--;
      return True;
   }
   if (map->is_free && map->version == version) return False;
   map->is_free = !is_covered(LAYER_BLOCK, start, size);
   map->version = version;
   if (!map->is_free) map->patience = PATIENCE;
   return !map->is_free;
}

/* Whether a layer from `layer` on may have anything in a stretch. */
static Bool may_be_covered(HeapLayer layer, Addr start, SizeT size)
{
   return layer == LAYER_BLOCK ? map_may_be_covered(start, size)
                               : is_covered(layer, start, size);
}

/* The stretch of an allocation of a layer, around an address that no higher
 * layer has. */
static HeapStretch stretch_of(HeapLayer layer, Allocation a, Addr address)
{
   HeapStretch s = {a.start, a.start + a.size, a.start, a.owner,
                    version_of_block(a.start)};
   if (layer + 1 < N_LAYERS && may_be_covered(layer + 1, a.start, a.size))
      shrink_to_page(&s, layer + 1, address);
   return s;
}

static HeapStretch nothing_at(Addr address)
{
   UInt region = (address >> REGION_BITS) & (REGIONS - 1);
   Addr start = address >> REGION_BITS << REGION_BITS;
   HeapStretch s = {start, end_or_last(start + ((Addr)1 << REGION_BITS)), start,
                    0, &all.of_regions[region]};
   if (all.n_in_region[region]) shrink_to_page(&s, LAYER_BLOCK, address);
   s.origin = s.start;
   return s;
}

HeapStretch cg2_heapblocks_find(Addr address)
{
   for (UInt i = N_LAYERS - 1; i >= LAYER_BLOCK; i--) {
      if (!all.layers[i].n) continue;
      Allocation a = cg2_allocations_find(&all.layers[i], address);
      if (a.size) return stretch_of(i, a, address);
   }
   return nothing_at(address);
}

HeapStretch cg2_heapblocks_find_map(Addr address)
{
   Allocation a = cg2_allocations_find(&all.layers[LAYER_MAP], address);
   return a.size ? stretch_of(LAYER_MAP, a, address) : nothing_at(address);
}

Allocation cg2_heapblocks_chunk_at(Addr start)
{
   Allocation a = cg2_allocations_find(&all.layers[LAYER_INNER], start);
   if (a.size && a.start == start) return a;
   a = cg2_allocations_find(&all.layers[LAYER_CHUNK], start);
   if (a.start != start) a.size = 0;
   return a;
}
