#include "check.h"
#include "engine/cost.h"

static Cost all(ULong n)
{
   Cost cost;
   for (UInt e = 0; e < EVENTS_MAX; e++)
      cost.of[e] = n + e;
   return cost;
}

/* Every operation changes the words of the events that there are, and leaves
 * what lies behind them as it was. */
static void check_sums(UInt n_events)
{
   cg2_events.n = n_events;
   Cost sum = {{0}};
   CHECK(cg2_cost_is_zero(sum.of));
   Cost five = all(5), seven = all(7), big = all(1ULL << 63);
   cg2_cost_add(sum.of, five.of);
   cg2_cost_add_difference(sum.of, seven.of, five.of);
   for (UInt e = 0; e < EVENTS_MAX; e++)
      CHECK_EQ(sum.of[e], e < n_events ? 7 + e : 0);
   CHECK(!cg2_cost_is_zero(sum.of));
   cg2_cost_add(sum.of, big.of);
   for (UInt e = 0; e < n_events; e++)
      CHECK_EQ(sum.of[e], (1ULL << 63) + 7 + 2 * e);
   Cost copy = {{0}};
   cg2_cost_copy(copy.of, sum.of);
   for (UInt e = 0; e < EVENTS_MAX; e++)
      CHECK_EQ(copy.of[e], e < n_events ? sum.of[e] : 0);
   Cost ones = all(1);
   cg2_cost_clear(ones.of);
   for (UInt e = 0; e < EVENTS_MAX; e++)
      CHECK_EQ(ones.of[e], e < n_events ? 0 : 1 + e);
}

static void test_sums(void)
{
   for (UInt n = 1; n <= EVENTS_MAX; n++)
      check_sums(n);
}

static void test_zero(void)
{
   cg2_events.n = 5;
   for (UInt e = 0; e < EVENTS_MAX; e++) {
      Cost cost = {{0}};
      cost.of[e] = 1ULL << 40;
      CHECK_EQ(cg2_cost_is_zero(cost.of), e >= 5);
   }
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"sums", test_sums},
      {"zero", test_zero},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
