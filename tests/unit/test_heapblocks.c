#include "check.h"
#include "data/heap/heapblocks.h"

/* Where tests have their memory: not at the start of a region. */
static const Addr BASE = 0x7123000;

static void check_stretch(
   const HeapStretch* s, Addr start, Addr end, Addr origin, UInt owner)
{
   CHECK_EQ(s->start, start);
   CHECK_EQ(s->end, end);
   CHECK_EQ(s->origin, origin);
   CHECK_EQ(s->owner, owner);
}

static void
check_at(Addr address, Addr start, Addr end, Addr origin, UInt owner)
{
   HeapStretch s = cg2_heapblocks_find(address);
   check_stretch(&s, start, end, origin, owner);
}

static UInt owner_at(Addr address)
{
   return cg2_heapblocks_find(address).owner;
}

/* Where there is no block, what is found is the region of 1 MiB, or what of a
 * page no block covers. */
static void test_nothing(void)
{
   check_at(BASE, 0x7100000, 0x7200000, 0x7100000, 0);
   cg2_heapblocks_add(LAYER_BLOCK, BASE + 0x100, 0x80, 1);
   check_at(BASE, BASE, BASE + 0x100, BASE, 0);
   check_at(BASE + 0x180, BASE + 0x180, BASE + 0x1000, BASE + 0x180, 0);
   check_at(BASE + 0x1000, BASE + 0x1000, BASE + 0x2000, BASE + 0x1000, 0);
   check_at(BASE + 0x100, BASE + 0x100, BASE + 0x180, BASE + 0x100, 1);
   CHECK_EQ(cg2_heapblocks_remove(BASE + 0x101).size, 0);
   CHECK_EQ(cg2_heapblocks_remove(BASE + 0x100).size, 0x80);
   check_at(BASE, 0x7100000, 0x7200000, 0x7100000, 0);
}

/* A chunk wins while it lives, also one that lies in another; it ends with the
 * block that it lies in. */
static void test_chunks(void)
{
   cg2_heapblocks_add(LAYER_BLOCK, BASE, 0x3000, 1);
   cg2_heapblocks_add_chunk(BASE, 0x40, 2);
   cg2_heapblocks_add_chunk(BASE + 0x100, 0x100, 3);
   cg2_heapblocks_add_chunk(BASE + 0x110, 0x10, 4);
   check_at(BASE + 0x3f, BASE, BASE + 0x40, BASE, 2);
   check_at(BASE + 0x40, BASE + 0x40, BASE + 0x100, BASE, 1);
   check_at(BASE + 0x2000, BASE + 0x2000, BASE + 0x3000, BASE, 1);
   check_at(BASE + 0x108, BASE + 0x100, BASE + 0x110, BASE + 0x100, 3);
   check_at(BASE + 0x11f, BASE + 0x110, BASE + 0x120, BASE + 0x110, 4);
   check_at(BASE + 0x120, BASE + 0x120, BASE + 0x200, BASE + 0x100, 3);
   CHECK_EQ(cg2_heapblocks_chunk_at(BASE + 0x110).owner, 4);
   CHECK_EQ(cg2_heapblocks_chunk_at(BASE + 0x100).owner, 3);
   CHECK_EQ(cg2_heapblocks_chunk_at(BASE + 0x108).size, 0);
   CHECK_EQ(cg2_heapblocks_remove_chunk(BASE + 0x100).owner, 3);
   CHECK_EQ(owner_at(BASE + 0x110), 1);
   CHECK_EQ(owner_at(BASE), 2);
   CHECK_EQ(cg2_heapblocks_remove(BASE).owner, 1);
   CHECK_EQ(owner_at(BASE), 0);
   CHECK_EQ(cg2_heapblocks_remove_chunk(BASE).size, 0);
}

/* A block takes the place of all that was there and was not seen freed. */
static void test_replacing(void)
{
   cg2_heapblocks_add(LAYER_BLOCK, BASE, 0x100, 1);
   cg2_heapblocks_add_chunk(BASE + 0x10, 0x10, 2);
   cg2_heapblocks_add(LAYER_BLOCK, BASE + 0x18, 0x10, 3);
   CHECK_EQ(owner_at(BASE), 0);
   CHECK_EQ(owner_at(BASE + 0x10), 0);
   CHECK_EQ(owner_at(BASE + 0x18), 3);
}

/* A chunk without a size ends at the next one, or where what it lies in ends;
 * one before it that reached as far is shortened. */
static void test_open(void)
{
   cg2_heapblocks_add(LAYER_BLOCK, BASE, 0x1000, 1);
   cg2_heapblocks_add_open_chunk(BASE + 0x100, 2);
   check_at(BASE + 0xfff, BASE + 0x100, BASE + 0x1000, BASE + 0x100, 2);
   cg2_heapblocks_add_open_chunk(BASE + 0x140, 3);
   check_at(BASE + 0x13f, BASE + 0x100, BASE + 0x140, BASE + 0x100, 2);
   check_at(BASE + 0xfff, BASE + 0x140, BASE + 0x1000, BASE + 0x140, 3);
   cg2_heapblocks_add_open_chunk(BASE + 0x40, 4);
   check_at(BASE + 0x40, BASE + 0x40, BASE + 0x100, BASE + 0x40, 4);
   cg2_heapblocks_add_open_chunk(BASE + 0x100, 5);
   check_at(BASE + 0x100, BASE + 0x100, BASE + 0x140, BASE + 0x100, 5);
   CHECK_EQ(cg2_heapblocks_remove_chunk(BASE + 0x140).owner, 3);
   check_at(BASE + 0x140, BASE + 0x140, BASE + 0x1000, BASE, 1);
   cg2_heapblocks_add_open_chunk(BASE + 0x5ff0, 6);
   check_at(BASE + 0x5ff0, BASE + 0x5ff0, BASE + 0x6000, BASE + 0x5ff0, 6);
}

/* A map is found where there is no block, as a whole if it has none. */
static void test_maps(void)
{
   cg2_heapblocks_add(LAYER_MAP, BASE, 0x4000000, 1);
   HeapStretch s = cg2_heapblocks_find_map(BASE + 0x1234);
   check_stretch(&s, BASE, BASE + 0x4000000, BASE, 1);
   CHECK_EQ(owner_at(BASE), 0);
   cg2_heapblocks_add(LAYER_BLOCK, BASE + 0x2000, 0x100, 2);
   s = cg2_heapblocks_find_map(BASE + 0x1234);
   check_stretch(&s, BASE + 0x1000, BASE + 0x2000, BASE, 1);
   s = cg2_heapblocks_find_map(BASE + 0x2100);
   check_stretch(&s, BASE + 0x2100, BASE + 0x3000, BASE, 1);
   cg2_heapblocks_unmap(BASE + 0x1000, 0x2000);
   CHECK_EQ(owner_at(BASE + 0x2000), 0);
   CHECK_EQ(cg2_heapblocks_find_map(BASE + 0x1000).owner, 0);
   s = cg2_heapblocks_find_map(BASE + 0xfff);
   check_stretch(&s, BASE, BASE + 0x1000, BASE, 1);
   s = cg2_heapblocks_find_map(BASE + 0x3000);
   check_stretch(&s, BASE + 0x3000, BASE + 0x4000000, BASE + 0x3000, 1);
   cg2_heapblocks_add(LAYER_MAP, BASE, 0x2000, 3);
   s = cg2_heapblocks_find_map(BASE + 0x1fff);
   check_stretch(&s, BASE, BASE + 0x2000, BASE, 3);
}

/*--- Versions -----------------------------------------------------------*/

/* A stretch that somebody keeps. */
typedef struct Kept {
   HeapStretch stretch;
   UInt version;
} Kept;

static Kept keep(HeapStretch s)
{
   return (Kept){s, *s.version};
}

static Bool is_valid(const Kept* kept)
{
   return *kept->stretch.version == kept->version;
}

/* Blocks elsewhere, even beside it, leave a stretch alone. */
static void test_stays(void)
{
   cg2_heapblocks_add(LAYER_MAP, 0x10000000, 0x10000, 8);
   cg2_heapblocks_add(LAYER_BLOCK, BASE, 0x100, 1);
   cg2_heapblocks_add(LAYER_BLOCK, BASE + 0x10000, 0x100000, 2);
   Kept small = keep(cg2_heapblocks_find(BASE));
   Kept large = keep(cg2_heapblocks_find(BASE + 0x20000));
   Kept none = keep(cg2_heapblocks_find(0x20000000));
   Kept map = keep(cg2_heapblocks_find_map(0x10000000));
   for (UInt i = 1; i < 8; i++)
      cg2_heapblocks_add(LAYER_BLOCK, BASE + i * 0x100, 0x100, 3);
   for (UInt i = 1; i < 8; i++)
      cg2_heapblocks_remove(BASE + i * 0x100);
   CHECK(is_valid(&small));
   CHECK(is_valid(&large));
   CHECK(is_valid(&none));
   CHECK(is_valid(&map));
}

/* What is kept goes with its block, and when a chunk comes in it. */
static void test_goes(void)
{
   cg2_heapblocks_add(LAYER_BLOCK, BASE, 0x100, 1);
   Kept kept = keep(cg2_heapblocks_find(BASE));
   cg2_heapblocks_remove(BASE);
   CHECK(!is_valid(&kept));
   kept = keep(cg2_heapblocks_find(BASE));
   cg2_heapblocks_add(LAYER_BLOCK, BASE, 0x100, 1);
   CHECK(!is_valid(&kept));
   kept = keep(cg2_heapblocks_find(BASE));
   cg2_heapblocks_add_chunk(BASE + 0x80, 0x10, 2);
   CHECK(!is_valid(&kept));
   kept = keep(cg2_heapblocks_find(BASE));
   cg2_heapblocks_add_chunk(BASE + 0x40, 0x10, 2);
   CHECK(!is_valid(&kept));
   kept = keep(cg2_heapblocks_find(BASE + 0x100));
   cg2_heapblocks_add(LAYER_BLOCK, BASE + 0x100, 0x10, 1);
   CHECK(!is_valid(&kept));
   kept = keep(cg2_heapblocks_find_map(BASE + 0x2000));
   cg2_heapblocks_add(LAYER_MAP, BASE + 0x2000, 0x100000, 1);
   CHECK(!is_valid(&kept));
   kept = keep(cg2_heapblocks_find_map(BASE + 0x2000));
   cg2_heapblocks_unmap(BASE + 0x2000, 0x1000);
   CHECK(!is_valid(&kept));
}

/* A map is one stretch until a block lies near, and then pages of which each
 * goes with blocks of its own. */
static void test_maps_with_blocks(void)
{
   enum { MAP = 0x30000000, PAGE = 0x1000 };
   cg2_heapblocks_add(LAYER_MAP, MAP, 0x100000, 1);
   Kept kept = keep(cg2_heapblocks_find_map(MAP + 2 * PAGE));
   check_stretch(&kept.stretch, MAP, MAP + 0x100000, MAP, 1);
   cg2_heapblocks_add(LAYER_BLOCK, MAP + 0x50000, 0x10, 2);
   CHECK(!is_valid(&kept));
   kept = keep(cg2_heapblocks_find_map(MAP + 2 * PAGE));
   check_stretch(&kept.stretch, MAP + 2 * PAGE, MAP + 3 * PAGE, MAP, 1);
   cg2_heapblocks_add(LAYER_BLOCK, MAP + 0x60000, 0x10, 2);
   CHECK(is_valid(&kept));
   cg2_heapblocks_add(LAYER_BLOCK, MAP + 2 * PAGE, 0x10, 2);
   CHECK(!is_valid(&kept));
}

/*--- At random ----------------------------------------------------------*/

enum { BYTES = 1 << 14, STEPS = 6000, KEPT = 64 };

/* Whose each byte is. */
static UInt layers[N_LAYERS][BYTES];
static Kept kept[KEPT];
static UInt random_state = 1;

static UInt random_below(UInt n)
{
   random_state = random_state * 1664525 + 1013904223;
   return (ULong)random_state * n >> 32;
}

/* Forgets what of a layer has a byte of [i, end), and what lies in that in
 * those above. */
static void forget(UInt layer, UInt i, UInt end)
{
   UInt* of = layers[layer];
   UInt from = i, to = end;
   while (from > 0 && of[i] && of[from - 1] == of[i])
      from--;
   while (to < BYTES && of[end - 1] && of[to] == of[end - 1])
      to++;
   VG_(memset)(of + from, 0, (to - from) * sizeof *of);
   if (layer < LAYER_INNER) forget(layer + 1, from, to);
}

static void own(UInt layer, UInt i, UInt size, UInt owner)
{
   for (UInt k = i; k < i + size; k++)
      layers[layer][k] = owner;
}

static void add(UInt i, UInt size, UInt number)
{
   cg2_heapblocks_add(LAYER_BLOCK, BASE + i, size, number);
   forget(LAYER_BLOCK, i, i + size);
   own(LAYER_BLOCK, i, size, number);
}

static void add_chunk(UInt i, UInt size, UInt number)
{
   const UInt* chunks = layers[LAYER_CHUNK];
   UInt n = 0, of_outer = 0;
   for (UInt k = 0; k < BYTES; k++)
      of_outer += chunks[i] && chunks[k] == chunks[i];
   while (n < size && chunks[i] && chunks[i + n] == chunks[i])
      n++;
   Bool is_inside = n == size && of_outer > size;
   UInt layer = is_inside ? LAYER_INNER : LAYER_CHUNK;
   cg2_heapblocks_add_chunk(BASE + i, size, number);
   forget(layer, i, i + size);
   own(layer, i, size, number);
}

static UInt owner_of(UInt i)
{
   for (UInt layer = LAYER_INNER; layer > 0; layer--)
      if (layers[layer][i]) return layers[layer][i];
   return 0;
}

static void remove_at(UInt i)
{
   HeapStretch s = cg2_heapblocks_find(BASE + i);
   CHECK_EQ(s.owner, owner_of(i));
   if (!s.owner) return;
   UInt at = s.origin - BASE;
   Allocation a = layers[LAYER_INNER][i] || layers[LAYER_CHUNK][i]
                     ? cg2_heapblocks_remove_chunk(s.origin)
                     : cg2_heapblocks_remove(s.origin);
   CHECK(a.size > 0);
   UInt layer = LAYER_INNER;
   while (layers[layer][at] != a.owner)
      layer--;
   forget(layer, at, at + a.size);
}

/* What is still valid of what is kept is right. */
static void check_kept(void)
{
   for (UInt k = 0; k < KEPT; k++) {
      const HeapStretch* s = &kept[k].stretch;
      if (!s->version || !is_valid(&kept[k])) continue;
      UInt wrong = 0;
      for (Addr at = s->start; at < s->end; at++)
         if (at >= BASE && at < BASE + BYTES)
            wrong += owner_of(at - BASE) != s->owner;
      CHECK_EQ(wrong, 0);
   }
}

static void step(UInt number)
{
   UInt i = random_below(BYTES);
   UInt size = 1 + random_below(random_below(3) ? 300 : 3000);
   if (size > BYTES - i) size = BYTES - i;
   switch (random_below(5)) {
   case 0:
      return add(i, size, number);
   case 1:
   case 2:
      return add_chunk(i, size, number);
   case 3:
      return remove_at(i);
   default:
      kept[random_below(KEPT)] = keep(cg2_heapblocks_find(BASE + i));
   }
}

static void test_random(void)
{
   for (UInt number = 1; number <= STEPS; number++) {
      step(number);
      if (number % 16 == 0) check_kept();
   }
   for (UInt i = 0; i < BYTES; i++)
      if (owner_at(BASE + i) != owner_of(i))
         CHECK_EQ(owner_at(BASE + i), owner_of(i));
}

int main(int n, char** names)
{
   static const Test tests[] = {{"nothing", test_nothing},
                                {"chunks", test_chunks},
                                {"replacing", test_replacing},
                                {"open", test_open},
                                {"maps", test_maps},
                                {"stays", test_stays},
                                {"goes", test_goes},
                                {"maps_with_blocks", test_maps_with_blocks},
                                {"random", test_random}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
