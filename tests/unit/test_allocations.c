#include "check.h"
#include "data/heap/allocations.h"

static Allocations set;

static void check_found(Addr address, Addr start, SizeT size, UInt owner)
{
   Allocation a = cg2_allocations_find(&set, address);
   CHECK_EQ(a.start, start);
   CHECK_EQ(a.size, size);
   CHECK_EQ(a.owner, owner);
}

static void check_nothing(Addr address)
{
   CHECK_EQ(cg2_allocations_find(&set, address).size, 0);
}

static void test_empty(void)
{
   check_nothing(0);
   check_nothing(~(Addr)0);
   CHECK_EQ(cg2_allocations_remove(&set, 0x1000).size, 0);
}

/* First and last byte, and the bytes beside them. */
static void test_ends(void)
{
   static const SizeT sizes[] = {1,     16,    4096,    5000,
                                 65535, 65536, 1 << 24, (SizeT)1 << 31};
   for (UInt i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      Addr start = 0x1ffff0;
      cg2_allocations_add(&set, start, sizes[i], i);
      check_nothing(start - 1);
      check_found(start, start, sizes[i], i);
      check_found(start + sizes[i] - 1, start, sizes[i], i);
      check_nothing(start + sizes[i]);
      CHECK_EQ(cg2_allocations_remove(&set, start + 1).size, 0);
      CHECK_EQ(cg2_allocations_remove(&set, start).owner, i);
      check_nothing(start);
      CHECK_EQ(set.n, 0);
   }
}

/* An allocation takes the place of all that it overlaps. */
static void test_overlap(void)
{
   cg2_allocations_add(&set, 0x10000, 0x100, 1);
   cg2_allocations_add(&set, 0x10100, 0x20000, 2);
   cg2_allocations_add(&set, 0x50000, 0x10, 3);
   cg2_allocations_add(&set, 0x100ff, 0x30000, 4);
   CHECK_EQ(set.n, 2);
   check_found(0x20000, 0x100ff, 0x30000, 4);
   check_nothing(0x10000);
   check_found(0x50000, 0x50000, 0x10, 3);
}

/* What is cut out of allocations, in the middle, at the ends, and of several.
 */
static void test_cut(void)
{
   cg2_allocations_add(&set, 0x10000, 0x3000, 1);
   cg2_allocations_cut(&set, 0x11000, 0x1000);
   check_found(0x10fff, 0x10000, 0x1000, 1);
   check_nothing(0x11000);
   check_nothing(0x11fff);
   check_found(0x12000, 0x12000, 0x1000, 1);
   cg2_allocations_add(&set, 0x13000, 0x1000000, 2);
   cg2_allocations_cut(&set, 0x10800, 0x3000);
   check_found(0x107ff, 0x10000, 0x800, 1);
   check_nothing(0x137ff);
   check_found(0x13800, 0x13800, 0xfff800, 2);
   cg2_allocations_cut(&set, 0, 0x10000);
   CHECK_EQ(set.n, 2);
   cg2_allocations_cut(&set, 0, 0x2000000);
   CHECK_EQ(set.n, 0);
}

/*--- Against a map of units ----------------------------------------------*/

/* The map is what others are compared with: sanitizers that looked at each of
 * its units would take all the time of the test. */
#ifdef __clang__
#define OF_MAP __attribute__((no_sanitize("address", "undefined", "coverage")))
#else
#define OF_MAP
#endif

/* Memory in units of 2^unit bytes. */
enum { UNITS = 1 << 18, STEPS = 20000 };
static const Addr BASE = 0x7000000;
static UInt unit;

/* The owner of each unit; 0: nobody. */
static UInt owners[UNITS];
static UInt random_state = 1;

static UInt random_below(UInt n)
{
   random_state = random_state * 1664525 + 1013904223;
   return (ULong)random_state * n >> 32;
}

static Addr address_of(UInt i)
{
   return BASE + ((Addr)i << unit);
}

/* Forgets the allocation of a unit. */
OF_MAP static void forget(UInt i)
{
   UInt owner = owners[i];
   UInt first = i;
   while (first > 0 && owners[first - 1] == owner)
      first--;
   for (i = first; owner && i < UNITS && owners[i] == owner; i++)
      owners[i] = 0;
}

static UInt random_size(void)
{
   static const UInt most[] = {32, 200, 3000, 20000, 150000};
   return 1 + random_below(most[random_below(5)]);
}

/* Gives units to an owner; whose allocations overlap them loses these. */
OF_MAP static void own(UInt i, UInt size, UInt owner)
{
   for (UInt k = i; k < i + size; k++) {
      if (owners[k]) forget(k);
      owners[k] = owner;
   }
}

static void add(UInt i, UInt size, UInt owner)
{
   cg2_allocations_add(&set, address_of(i), (SizeT)size << unit, owner);
   own(i, size, owner);
}

static void remove_one(UInt i)
{
   Allocation a = cg2_allocations_find(&set, address_of(i));
   CHECK_EQ(a.owner, owners[i]);
   if (!a.size) return;
   CHECK_EQ(cg2_allocations_remove(&set, a.start).owner, owners[i]);
   forget(i);
}

/* Gives units to nobody. */
OF_MAP static void disown(UInt i, UInt size)
{
   for (UInt k = i; k < i + size; k++)
      owners[k] = 0;
}

static void cut(UInt i, UInt size)
{
   cg2_allocations_cut(&set, address_of(i), (SizeT)size << unit);
   disown(i, size);
}

/* The first unit from `i` to `end` that has an owner; `end`: none has. */
OF_MAP static UInt first_owned(UInt i, UInt end)
{
   while (i < end && !owners[i])
      i++;
   return i;
}

static void look(UInt i, UInt size)
{
   Allocation a =
      cg2_allocations_first(&set, address_of(i), (SizeT)size << unit);
   UInt first = first_owned(i, i + size);
   CHECK_EQ(a.owner, first < i + size ? owners[first] : 0);
   if (owners[i]) return;
   Addr page = address_of(i) >> 12 << 12, low = page, high = page + 4096;
   Addr from = address_of(i), to = from;
   while (from > low && (from <= BASE || !owners[(from - 1 - BASE) >> unit]))
      from--;
   while (to < high &&
          (to >= address_of(UNITS) || !owners[(to - BASE) >> unit]))
      to++;
   cg2_allocations_narrow(&set, address_of(i), &low, &high);
   CHECK_EQ(low, from);
   CHECK_EQ(high, to);
}

static void step(UInt number)
{
   UInt i = random_below(UNITS);
   UInt size = random_size();
   if (size > UNITS - i) size = UNITS - i;
   switch (random_below(6)) {
   case 0:
   case 1:
      return remove_one(i);
   case 2:
      return cut(i, size);
   case 3:
      return look(i, size);
   default:
      return add(i, size, number);
   }
}

/* After many random steps, each unit belongs to whom it should; a test that is
 * smaller looks at the ends of allocations, and at some units between. */
OF_MAP static void check_random(void)
{
   UInt steps = check_rounds(STEPS);
   for (UInt number = 1; number <= steps; number++)
      step(number);
   UWord n = 0;
   for (UInt i = 0; i < UNITS; i++) {
      Bool is_end = i == 0 || owners[i - 1] != owners[i];
      n += owners[i] && is_end;
      if (steps < STEPS && !is_end && i % (STEPS / steps)) continue;
      Allocation a = cg2_allocations_find(&set, address_of(i));
      if (a.owner != owners[i]) CHECK_EQ(a.owner, owners[i]);
   }
   CHECK_EQ(set.n, n);
}

static void test_bytes(void)
{
   check_random();
}

static void test_lines(void)
{
   unit = 6;
   check_random();
}

static void test_pages(void)
{
   unit = 12;
   check_random();
}

/* Up to 16 GB, where addresses have so many bits. */
static void test_huge(void)
{
   if (sizeof(Addr) > 4) unit = 16;
   check_random();
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"empty", test_empty},     {"ends", test_ends},   {"cut", test_cut},
      {"overlap", test_overlap}, {"bytes", test_bytes}, {"lines", test_lines},
      {"pages", test_pages},     {"huge", test_huge}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
