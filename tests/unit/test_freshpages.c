/* Which pages were touched, since they were given to the program. */
#include "check.h"
#include "model/described/freshpages.h"

enum { PAGE = 4096, GROUP = 64 * PAGE };

static FreshPages fresh = {.page_bits = 12};

static void test_touch(void)
{
   CHECK(cg2_freshpages_touch(&fresh, 0x5000));
   CHECK(!cg2_freshpages_touch(&fresh, 0x5fff));
   CHECK(cg2_freshpages_touch(&fresh, 0x4fff));
   CHECK(cg2_freshpages_touch(&fresh, 0x6000));
   CHECK(cg2_freshpages_touch(&fresh, 0));
   CHECK(cg2_freshpages_touch(&fresh, ~(Addr)0));
   CHECK(!cg2_freshpages_touch(&fresh, ~(Addr)0 - PAGE + 1));
}

/* Pages of other sizes. */
static void test_size(void)
{
   fresh.page_bits = 14;
   CHECK(cg2_freshpages_touch(&fresh, 0x4000));
   CHECK(!cg2_freshpages_touch(&fresh, 0x7fff));
   CHECK(cg2_freshpages_touch(&fresh, 0x8000));
}

/* A page that is given back in part is fresh. */
static void test_forget(void)
{
   for (Addr at = 0; at < 3 * GROUP; at += PAGE)
      CHECK(cg2_freshpages_touch(&fresh, at));
   cg2_freshpages_forget(&fresh, GROUP - 1, GROUP + 1);
   cg2_freshpages_forget(&fresh, 2 * GROUP, 2 * GROUP);
   for (Addr at = 0; at < 3 * GROUP; at += PAGE)
      CHECK_EQ(cg2_freshpages_touch(&fresh, at),
               at == GROUP - PAGE || at == GROUP);
   cg2_freshpages_forget(&fresh, 0, ~(Addr)0);
   CHECK(cg2_freshpages_touch(&fresh, GROUP));
   CHECK(cg2_freshpages_touch(&fresh, 2 * GROUP + PAGE));
}

/* A range takes no room for its pages, and is cut. */
static void test_ranges(void)
{
   Addr end = (Addr)1 << (sizeof end * 8 - 2);
   cg2_freshpages_touch_range(&fresh, GROUP, end);
   CHECK_EQ(fresh.groups.n_nodes, 0);
   CHECK(cg2_freshpages_touch(&fresh, GROUP - 1));
   CHECK(!cg2_freshpages_touch(&fresh, GROUP));
   CHECK(!cg2_freshpages_touch(&fresh, end - 1));
   CHECK(cg2_freshpages_touch(&fresh, end));
   cg2_freshpages_forget(&fresh, 2 * GROUP, 3 * GROUP);
   CHECK_EQ(fresh.n_ranges, 2);
   CHECK(!cg2_freshpages_touch(&fresh, 2 * GROUP - 1));
   CHECK(cg2_freshpages_touch(&fresh, 2 * GROUP));
   CHECK(cg2_freshpages_touch(&fresh, 3 * GROUP - 1));
   CHECK(!cg2_freshpages_touch(&fresh, 3 * GROUP));
   cg2_freshpages_touch_range(&fresh, 0, end);
   CHECK_EQ(fresh.n_ranges, 1);
   cg2_freshpages_forget(&fresh, 0, end);
   CHECK_EQ(fresh.n_ranges, 0);
   CHECK(cg2_freshpages_touch(&fresh, 0));
}

/*--- Against an array ---------------------------------------------------*/

enum { PAGES = 1000, STEPS = 20000 };

static UInt random_below(UInt n)
{
   static UInt state = 1;
   state = state * 1664525 + 1013904223;
   return (ULong)state * n >> 32;
}

static void test_random(void)
{
   static Bool is_touched[PAGES];
   UInt steps = check_rounds(STEPS);
   for (UInt step = 0; step < steps; step++) {
      UInt from = random_below(PAGES), what = random_below(20);
      UInt to = from + random_below(1 + random_below(PAGES - from));
      Addr start = (Addr)from * PAGE, end = (Addr)to * PAGE;
      if (what > 1) {
         CHECK_EQ(cg2_freshpages_touch(&fresh, start), !is_touched[from]);
         is_touched[from] = True;
         continue;
      }
      if (what)
         cg2_freshpages_touch_range(&fresh, start, end);
      else
         cg2_freshpages_forget(&fresh, start, end);
      for (UInt i = from; i < to; i++)
         is_touched[i] = what;
   }
}

int main(int n, char** names)
{
   static const Test tests[] = {{"touch", test_touch},
                                {"size", test_size},
                                {"forget", test_forget},
                                {"ranges", test_ranges},
                                {"random", test_random}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
