#include "check.h"
#include "data/counting/pairs.h"

static ULong count_of(UInt tid)
{
   UWord n;
   ULong sum = 0;
   Pair** all = cg2_pairs_all(&n, tid);
   for (UWord i = 0; i < n; i++)
      sum += all[i]->count;
   VG_(free)(all);
   return sum;
}

/* A place is one, a pair is one, and the other way round is another. */
static void test_count(void)
{
   DataObject* object = cg2_dataobject_new(DATA_HEAP, "a", NULL);
   const PairPlace* first = cg2_pairs_place(object, 0, 1);
   const PairPlace* second = cg2_pairs_place(object, 8, 2);
   CHECK(cg2_pairs_place(object, 0, 1) == first);
   CHECK(cg2_pairs_place(object, 0, 2) != first);
   cg2_pairs_count(PAIR_FALSE_SHARING, first, second);
   cg2_pairs_count(PAIR_FALSE_SHARING, first, second);
   cg2_pairs_count(PAIR_FALSE_SHARING, second, first);
   cg2_pairs_count(PAIR_SHARING, first, second);
   UWord n;
   Pair** all = cg2_pairs_all(&n, 0);
   CHECK_EQ(n, 3);
   CHECK_EQ(all[0]->count, 2);
   CHECK(all[0]->from == first && all[0]->to == second);
   CHECK_EQ(all[2]->kind, PAIR_SHARING);
   CHECK(!cg2_pairs_are_alike(all[0], all[1]));
   VG_(free)(all);
   CHECK_EQ(count_of(1), 1);
   CHECK_EQ(count_of(2), 3);
   cg2_pairs_zero(2);
   CHECK_EQ(count_of(0), 1);
   cg2_pairs_zero(0);
   CHECK_EQ(cg2_pairs_n(), 0);
}

/* What is beyond the places and pairs that are kept counts together. */
static void test_bounds(void)
{
   enum { N = 2 * PAIR_PLACES };
   DataObject* object = cg2_dataobject_new(DATA_HEAP, "large", NULL);
   for (UInt i = 0; i < N; i++)
      cg2_pairs_count(PAIR_SHARING, cg2_pairs_place(object, 8 * i, 1),
                      cg2_pairs_place(object, 8 * i, 2));
   CHECK_EQ(count_of(0), N);
   CHECK_EQ(cg2_pairs_n(), PAIR_PLACES / 2 + 1);
   CHECK_EQ(cg2_pairs_place(object, 8 * N, 1)->offset, PAIR_ANYWHERE);
   for (UInt i = 0; i < PAIR_PLACES / 2; i++)
      for (UInt j = 0; j < PAIR_PLACES / 2; j++)
         cg2_pairs_count(PAIR_SHARING, cg2_pairs_place(object, 8 * i, 1),
                         cg2_pairs_place(object, 8 * j, 2));
   CHECK_EQ(cg2_pairs_n(), PAIRS_MAX);
   CHECK_EQ(count_of(0), N + PAIR_PLACES / 2 * PAIR_PLACES / 2);
   cg2_pairs_zero(0);
}

int main(int n, char** names)
{
   static const Test tests[] = {{"count", test_count}, {"bounds", test_bounds}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
