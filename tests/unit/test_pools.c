#include "check.h"
#include "data/heap/pools.h"

static Pools pools;

static void check_pool(UInt i,
                       const HChar* pattern,
                       Giving gives,
                       UInt size,
                       UInt count,
                       UInt takes)
{
   const Allocator* pool = &pools.of[i];
   CHECK_TEXT(pool->pattern, pattern);
   CHECK_TEXT(pool->option, "--data-alloc=...");
   CHECK_EQ(pool->gives, gives);
   CHECK_EQ(pool->size, size);
   CHECK_EQ(pool->count, count);
   CHECK_EQ(pool->takes, takes);
   CHECK(pool->is_pool);
}

static Bool add(const HChar* text)
{
   HChar error[POOLS_TEXT] = "";
   Bool is_right = cg2_pools_add(&pools, "--data-alloc=...", text, error);
   CHECK_EQ(is_right, error[0] == '\0');
   return is_right;
}

/* Names may have commas of their own. */
static void test_read(void)
{
   CHECK_EQ(pools.n, 0);
   CHECK(add("f"));
   check_pool(0, "f", GIVES_RESULT, 0, 0, 0);
   CHECK(add("get,size=2"));
   check_pool(1, "get", GIVES_RESULT, 2, 0, 0);
   CHECK(add("A<int, long>::get*,size=6*1,free=A<int, long>::put"));
   check_pool(2, "A<int, long>::get*", GIVES_RESULT, 6, 1, 0);
   check_pool(3, "A<int, long>::put", GIVES_NOTHING, 0, 0, 1);
   CHECK(add("g,free=h,size=3"));
   check_pool(4, "g", GIVES_RESULT, 3, 0, 0);
   check_pool(5, "h", GIVES_NOTHING, 0, 0, 1);
   CHECK_EQ(pools.n, 6);
}

static void test_refuse(void)
{
   static const HChar* const wrong[] = {
      "",          ",size=1",      ",free=f",  "f,free=",
      "f,size=",   "f,size=0",     "f,size=7", "f,size=12",
      "f,size=1*", "f,size=1*2*3", "f,size=x", "f,size=1 "};
   for (UInt i = 0; i < sizeof wrong / sizeof *wrong; i++)
      CHECK(!add(wrong[i]));
   CHECK_EQ(pools.n, 0);
}

int main(int n, char** names)
{
   static const Test tests[] = {{"read", test_read}, {"refuse", test_refuse}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
