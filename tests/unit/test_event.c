#include "check.h"
#include "event.h"

static void test_names(void)
{
   CHECK_TEXT(cg2_event_name(EVENT_IR), "Ir");
   for (UInt e = 0; e < EVENT_COUNT; e++)
      CHECK(cg2_event_name(e)[0] != '\0');
   CHECK_ASSERTS(cg2_event_name(EVENT_COUNT));
}

static Cost all(ULong n)
{
   Cost cost;
   for (UInt e = 0; e < EVENT_COUNT; e++)
      cost.of[e] = n + e;
   return cost;
}

static void test_sums(void)
{
   Cost sum = {0};
   CHECK(cg2_cost_is_zero(&sum));
   Cost five = all(5), seven = all(7), big = all(1ULL << 63);
   cg2_cost_add(&sum, &five);
   cg2_cost_add_difference(&sum, &seven, &five);
   for (UInt e = 0; e < EVENT_COUNT; e++)
      CHECK_EQ(sum.of[e], 7 + e);
   CHECK(!cg2_cost_is_zero(&sum));
   cg2_cost_add(&sum, &big);
   for (UInt e = 0; e < EVENT_COUNT; e++)
      CHECK_EQ(sum.of[e], (1ULL << 63) + 7 + 2 * e);
}

static void test_zero(void)
{
   for (UInt e = 0; e < EVENT_COUNT; e++) {
      Cost cost = {0};
      cost.of[e] = 1ULL << 40;
      CHECK(!cg2_cost_is_zero(&cost));
   }
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"names", test_names},
      {"sums", test_sums},
      {"zero", test_zero},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
