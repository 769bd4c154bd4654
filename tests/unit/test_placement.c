/* Where addresses are placed for the simulated caches. */
#include "check.h"
#include "guest.h"
#include "layout/placement.h"

enum { SMALL = 0x401000, OTHER = 0x401180, LARGE = 0x500080, STACK = 0x900000 };
enum { END = 0x403000 };
enum { PAGE = 4096, SEEDS = 200 };

static Region regions[] = {
   {SMALL, OTHER, REGION_FILE, "/bin/app", 0},
   {OTHER, END, REGION_FILE, "/bin/app", 0},
   {LARGE, LARGE + 0x50000, REGION_ANONYMOUS, NULL, 0},
   {STACK - 0x30000, STACK, REGION_ANONYMOUS, NULL, 0}, /* the stack */
};
enum { N_REGIONS = sizeof regions / sizeof *regions };

static void begin(ULong seed)
{
   regions[N_REGIONS - 1].start = STACK - 0x30000;
   guest.regions = regions;
   guest.n_regions = N_REGIONS;
   guest.stack_thread = 1;
   cg2_placement_begin(seed, 64, PLACING_UNITS);
}

static UWord shift(Addr address)
{
   return cg2_placement_of(address) - address;
}

/* A unit moves by grains, as a whole; another one by itself. */
static void test_units(void)
{
   begin(1);
   UWord first = shift(SMALL);
   CHECK_EQ(first % 64, 16); /* the phase of seed 1 */
   for (Addr at = SMALL; at < OTHER - 64; at++)
      CHECK_EQ(shift(at), first);
   UWord second = shift(OTHER);
   CHECK(second != first);
   for (Addr at = OTHER; at < END - 64; at++)
      CHECK_EQ(shift(at), second);
}

/* How units lie to each other in a page is another for other seeds, and any is
 * as likely. */
static void test_seeds(void)
{
   UInt times[64] = {0};
   for (ULong seed = 1; seed <= SEEDS; seed++) {
      begin(seed);
      Addr a = cg2_placement_of(SMALL), b = cg2_placement_of(OTHER);
      times[(b - a) / 64 % 64]++;
      begin(seed);
      CHECK_EQ(cg2_placement_of(SMALL), a);
   }
   for (UInt i = 0; i < 64; i++)
      CHECK(times[i] < 5 * SEEDS / 64);
}

/* Lines of one unit that share a set where a way has a page do so wherever it
 * is placed, but its blocks lie apart. */
static void test_blocks(void)
{
   for (ULong seed = 1; seed <= 20; seed++) {
      begin(seed);
      UWord first = shift(LARGE), n_others = 0;
      for (Addr at = LARGE; at < LARGE + 0x50000; at += 64) {
         CHECK_EQ(shift(at) % PAGE, first % PAGE);
         Bool is_first = at - LARGE < PLACEMENT_BLOCK;
         if (is_first) CHECK_EQ(shift(at), first);
         n_others += shift(at) != first;
      }
      CHECK(n_others > 0);
   }
}

/* Where maps move as a whole, a large one is not torn apart: it uses at most
 * one page more. */
static void test_maps(void)
{
   for (ULong seed = 1; seed <= 20; seed++) {
      begin(seed);
      cg2_placement_begin(seed, 64, PLACING_MAPS);
      UWord first = shift(LARGE);
      for (Addr at = LARGE; at < LARGE + 0x50000; at += 64)
         CHECK_EQ(shift(at), first);
   }
}

/* No two grains are placed at one place. */
static void test_apart(void)
{
   static Addr places[0x90000 / 64];
   UInt n = 0;
   begin(3);
   for (Addr at = LARGE; at < LARGE + 0x50000; at += 64)
      places[n++] = cg2_placement_of(at) / 64;
   for (Addr at = STACK - 0x30000; at < STACK; at += 64)
      places[n++] = cg2_placement_of(at) / 64;
   for (UInt i = 0; i < n; i++)
      for (UInt j = 0; j < i; j++)
         if (places[i] == places[j]) CHECK_EQ(i, j);
}

/* A stack that grows stays where it is. */
static void test_stack(void)
{
   begin(5);
   UWord before = shift(STACK - 8);
   regions[N_REGIONS - 1].start -= 0x10000;
   CHECK_EQ(shift(STACK - 0x30008) % PAGE, before % PAGE);
   CHECK_EQ(shift(STACK - 8), before);
}

/* Larger lines are not torn apart. */
static void test_grains(void)
{
   begin(1);
   cg2_placement_begin(1, 256, PLACING_UNITS);
   for (Addr at = SMALL & ~(Addr)255; at < OTHER; at++)
      CHECK_EQ(cg2_placement_of(at) % 256, (at + 16) % 256);
   CHECK_EQ(cg2_placement_of(SMALL) % 256, (SMALL + 16) % 256);
   CHECK_EQ(cg2_placement_rest(SMALL), 256 - 16);
}

/* What a linker has placed has all phases in turn, and is still placed without
 * holes or meetings. */
static void test_phases(void)
{
   for (ULong seed = 1; seed <= 8; seed++) {
      begin(seed);
      UWord phase = seed % 4 * 16;
      for (Addr at = SMALL; at < END - 64; at++) {
         CHECK_EQ(shift(at) % 64, phase);
         UWord rest = cg2_placement_rest(at);
         CHECK_EQ(shift(at + rest - 1), shift(at));
         CHECK_EQ((cg2_placement_of(at) + rest) % 64, 0);
      }
      CHECK_EQ(shift(LARGE) % 64, 0);
   }
}

/* A grain that begins in one page and ends in the next is placed once. */
static void test_between_pages(void)
{
   static const Region over[] = {
      {0x401000, 0x405000, REGION_FILE, "/bin/app", 0},
      {STACK - 0x1000, STACK, REGION_ANONYMOUS, NULL, 0}};
   begin(2);
   guest.regions = over;
   guest.n_regions = 2;
   UWord first = shift(0x401fff);
   CHECK_EQ(first % 64, 32);
   CHECK_EQ(shift(0x402000), first);
   CHECK_EQ(shift(0x40201f), first);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"units", test_units},
      {"seeds", test_seeds},
      {"blocks", test_blocks},
      {"maps", test_maps},
      {"apart", test_apart},
      {"stack", test_stack},
      {"grains", test_grains},
      {"phases", test_phases},
      {"between pages", test_between_pages},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
