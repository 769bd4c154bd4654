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

int main(int n, char** names)
{
   static const Test tests[] = {
      {"names", test_names},
      {"estimate", test_estimate},
      {"limit", test_limit},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
