#include "layout/placement.h"

#include "base/arena.h"
#include "base/table.h"
#include "layout/units.h"

enum {
   PAGE = 4096,
   RECENT = 4096,    /* pages whose places are found at once */
   JITTER_PAGES = 16 /* between two blocks lie up to so many pages */
};

/* A page, whose grains begin `phase` bytes before its own: so it has parts of
 * one more. */
typedef struct PlacedPage {
   TableNode node;
   UWord number;
   UWord phase;
   UWord shifts[]; /* [grain]: from an address to its place */
} PlacedPage;

/* `block` bytes of a unit. */
typedef struct PlacedBlock {
   TableNode node;
   Addr anchor; /* of the unit */
   UWord number;
   UWord shift;
} PlacedBlock;

/* Reason for a mutable file-scope object: the layout of the process. */
static struct {
   ULong seed;
   UInt grain_bits, page_bits;
   UInt block;
   LayoutUnit (*find)(Addr address); /* a unit */
   Addr next;                        /* where nothing is placed yet: a page */
   Table pages, blocks;
   PlacedPage* recent[RECENT]; /* [number % RECENT] */
} placement;

static UWord grain_start(Addr address)
{
   return address >> placement.grain_bits << placement.grain_bits;
}

/* A number that the seed and two others decide. */
static ULong chance(UWord a, UWord b)
{
   ULong hash = cg2_hash_word(cg2_hash_word(placement.seed, a), b);
   return cg2_hash_word(hash, placement.seed) >> 16;
}

/* How far into a page the place of a unit begins, in bytes: a grain. */
static UWord offset_in_page(Addr anchor)
{
   UWord grains = (UWord)1 << (placement.page_bits - placement.grain_bits);
   return chance(anchor, ~(UWord)0) % grains << placement.grain_bits;
}

static PlacedBlock* new_block(Addr anchor, UWord number)
{
   PlacedBlock* block = cg2_arena_new(sizeof *block);
   UWord page = (UWord)1 << placement.page_bits;
   UWord own = grain_start(anchor) + number * placement.block;
   placement.next += page * (chance(anchor, number) % JITTER_PAGES);
   block->anchor = anchor;
   block->number = number;
   block->shift = placement.next + offset_in_page(anchor) - own;
   placement.next += placement.block + page;
   return block;
}

/* The distance from a grain of a unit to its place. A unit that is told by its
 * end has blocks of numbers below 0. */
static UWord shift_of(Addr grain, Addr anchor)
{
   Addr first = grain_start(anchor);
   UWord number = grain < first ? ~((first - 1 - grain) / placement.block)
                                : (grain - first) / placement.block;
   ULong hash = cg2_hash_word(cg2_hash_word(0, anchor), number);
   TableNode* node = cg2_table_first(&placement.blocks, hash);
   for (; node; node = cg2_table_next(node)) {
      const PlacedBlock* block = (PlacedBlock*)node;
      if (block->anchor == anchor && block->number == number)
         return block->shift;
   }
   PlacedBlock* block = new_block(anchor, number);
   cg2_table_add(&placement.blocks, &block->node, hash);
   return block->shift;
}

/* How far memory that a linker has placed moves within its grains. */
static UWord phase_of(Bool is_linked)
{
   UWord n = ((UWord)1 << placement.grain_bits) / PLACEMENT_PHASE;
   return is_linked ? placement.seed % n * PLACEMENT_PHASE : 0;
}

static PlacedPage* new_page(UWord number)
{
   UWord n = ((UWord)1 << (placement.page_bits - placement.grain_bits)) + 1;
   PlacedPage* page = cg2_arena_new(sizeof *page + n * sizeof *page->shifts);
   Addr start = number << placement.page_bits;
   UWord size = (UWord)1 << placement.grain_bits;
   LayoutUnit unit = placement.find(start);
   page->number = number;
   page->phase = phase_of(unit.is_linked);
   for (UWord i = 0; i < n; i++) {
      Addr grain = start + (i << placement.grain_bits);
      /* The unit of its last byte, as the first lines of a unit are used more
         often than the last ones. */
      Addr last = grain - page->phase + size - 1;
      if (i == 0 || last >= unit.end) unit = placement.find(last);
      page->shifts[i] =
         page->phase + shift_of(grain, unit.anchor + page->phase);
   }
   return page;
}

static PlacedPage* find_page(UWord number)
{
   ULong hash = cg2_hash_word(0, number);
   TableNode* node = cg2_table_first(&placement.pages, hash);
   for (; node; node = cg2_table_next(node))
      if (((PlacedPage*)node)->number == number) return (PlacedPage*)node;
   PlacedPage* page = new_page(number);
   cg2_table_add(&placement.pages, &page->node, hash);
   return page;
}

void cg2_placement_begin(ULong seed, UInt grain, Placing placing)
{
   Bool has_maps = placing == PLACING_MAPS;
   UInt page_bits = __builtin_ctz(PAGE);
   placement.seed = seed;
   placement.find = has_maps ? cg2_units_find_map : cg2_units_find;
   placement.block = has_maps ? PLACEMENT_MAP_BLOCK : PLACEMENT_BLOCK;
   placement.grain_bits =
      __builtin_ctz(grain > PLACEMENT_GRAIN ? grain : PLACEMENT_GRAIN);
   placement.page_bits =
      placement.grain_bits > page_bits ? placement.grain_bits : page_bits;
   placement.next = (UWord)1 << placement.page_bits;
   placement.pages = placement.blocks = (Table){NULL, 0, 0};
   VG_(memset)(placement.recent, 0, sizeof placement.recent);
}

/* The page of an address, and the number of the grain that it is in there. */
static const PlacedPage* page_of(Addr address, UWord* grain)
{
   UWord number = address >> placement.page_bits;
   PlacedPage** recent = &placement.recent[number % RECENT];
   if (!*recent || (*recent)->number != number) *recent = find_page(number);
   UWord offset = address - (number << placement.page_bits);
   *grain = (offset + (*recent)->phase) >> placement.grain_bits;
   return *recent;
}

Addr cg2_placement_of(Addr address)
{
   UWord grain;
   const PlacedPage* page = page_of(address, &grain);
   return address + page->shifts[grain];
}

UWord cg2_placement_rest(Addr address)
{
   UWord size = (UWord)1 << placement.grain_bits;
   return size - (cg2_placement_of(address) & (size - 1));
}
