#include "check.h"
#include "engine/event.h"

#include <string.h>

static void test_names(void)
{
   CHECK_EQ(cg2_event_count, 1);
   CHECK_TEXT(cg2_event_name(EVENT_IR), "Ir");
   CHECK(cg2_event_meaning(EVENT_IR) == NULL);
   CHECK_ASSERTS(cg2_event_name(1));
   CHECK_EQ(cg2_event_add("sysTime", "elapsed time"), 1);
   CHECK_EQ(cg2_event_count, 2);
   CHECK_TEXT(cg2_event_name(1), "sysTime");
   CHECK_TEXT(cg2_event_meaning(1), "elapsed time");
   CHECK_ASSERTS(cg2_event_meaning(2));
}

/* In the order of the calls; what costs nothing is no term. */
static void test_estimate(void)
{
   UInt first = cg2_event_add("D1mr", NULL),
        second = cg2_event_add("Bcm", NULL);
   cg2_event_estimate(first, 0);
   CHECK(cg2_event_derived(0) == NULL);
   cg2_event_estimate(second, 17);
   CHECK_TEXT(cg2_event_derived(0)->name, "CEst");
   CHECK_TEXT(cg2_event_derived(0)->formula, "Ir + 17 Bcm");
   cg2_event_estimate(first, 4294967295U);
   CHECK_TEXT(cg2_event_derived(0)->formula, "Ir + 17 Bcm + 4294967295 D1mr");
   CHECK(cg2_event_derived(1) == NULL);
   UInt long_name = cg2_event_add("a23456789012345678901234567890", NULL);
   CHECK_ASSERTS(cg2_event_estimate(long_name, 1));
   while (cg2_event_count < EVENTS_MAX)
      cg2_event_add("a234567890123456789", NULL);
   for (UInt e = 4; e < EVENTS_MAX; e++)
      cg2_event_estimate(e, 4294967295U);
   CHECK_EQ(strlen(cg2_event_derived(0)->formula),
            strlen("Ir + 17 Bcm + 4294967295 D1mr") +
               (EVENTS_MAX - 4) * strlen(" + 4294967295 a234567890123456789"));
}

static void test_limit(void)
{
   while (cg2_event_count < EVENTS_MAX)
      cg2_event_add("x", NULL);
   CHECK_ASSERTS(cg2_event_add("one too many", NULL));
}

static Cost all(ULong n)
{
   Cost cost;
   for (UInt e = 0; e < EVENTS_MAX; e++)
      cost.of[e] = n + e;
   return cost;
}

/* Those of as many events as there are, and what lies behind is as it was. */
static void check_sums(UInt n_events)
{
   cg2_event_count = n_events;
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
   cg2_event_count = 5;
   for (UInt e = 0; e < EVENTS_MAX; e++) {
      Cost cost = {{0}};
      cost.of[e] = 1ULL << 40;
      CHECK_EQ(cg2_cost_is_zero(cost.of), e >= 5);
   }
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"names", test_names}, {"estimate", test_estimate}, {"limit", test_limit},
      {"sums", test_sums},   {"zero", test_zero},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
