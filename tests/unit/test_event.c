#include "check.h"
#include "engine/cost.h"

#include <string.h>

static void test_names(void)
{
   CHECK_EQ(cg2_events.n, 1);
   CHECK_TEXT(cg2_event_name(EVENT_IR), "Ir");
   CHECK(cg2_event_meaning(EVENT_IR) == NULL);
   CHECK_ASSERTS(cg2_event_name(1));
   CHECK_EQ(cg2_event_add("sysTime", "elapsed time"), 1);
   CHECK_EQ(cg2_events.n, 2);
   CHECK_TEXT(cg2_event_name(1), "sysTime");
   CHECK_TEXT(cg2_event_meaning(1), "elapsed time");
   CHECK_ASSERTS(cg2_event_meaning(2));
}

/* In the order of the calls; what costs nothing is no term. */
static void test_estimate(void)
{
   UInt first = cg2_event_add("D1mr", NULL),
        second = cg2_event_add("Bcm", NULL);
   ULong cost[EVENTS_MAX] = {1000, 5, 7}, cycles;
   cg2_event_estimate(first, 0);
   CHECK(cg2_event_derived(0) == NULL);
   CHECK(!cg2_event_cycles(cost, &cycles));
   cg2_event_estimate(second, 17);
   CHECK_TEXT(cg2_event_derived(0)->name, "CEst");
   CHECK_TEXT(cg2_event_derived(0)->formula, "Ir + 17 Bcm");
   cg2_event_estimate(first, 4294967295U);
   CHECK_TEXT(cg2_event_derived(0)->formula, "Ir + 17 Bcm + 4294967295 D1mr");
   CHECK(cg2_event_derived(1) == NULL);
   CHECK(cg2_event_cycles(cost, &cycles));
   CHECK_EQ(cycles, 1000 + 17 * 7 + 4294967295ULL * 5);
   UInt long_name = cg2_event_add("a23456789012345678901234567890", NULL);
   CHECK_ASSERTS(cg2_event_estimate(long_name, 1));
   while (cg2_events.n < EVENTS_MAX)
      cg2_event_add("a234567890123456789", NULL);
   for (UInt e = 4; e < EVENTS_MAX; e++)
      cg2_event_estimate(e, 4294967295U);
   CHECK_EQ(strlen(cg2_event_derived(0)->formula),
            strlen("Ir + 17 Bcm + 4294967295 D1mr") +
               (EVENTS_MAX - 4) * strlen(" + 4294967295 a234567890123456789"));
}

static void test_limit(void)
{
   while (cg2_events.n < EVENTS_MAX)
      cg2_event_add("x", NULL);
   CHECK_ASSERTS(cg2_event_add("one too many", NULL));
}

/* Which counter and bit an event has. */
static void check_field(UInt event, UInt counter, UInt bit)
{
   EventField field = cg2_event_field(event);
   CHECK_EQ(field.counter, counter);
   CHECK_EQ(field.bit, bit);
}

/* Two counted events that are adjacent share a counter, and no others do: the
 * upper field of a pair is of the event in front of that of the lower one. */
static void test_counted(void)
{
   UInt alone = cg2_event_add_counted("alone", "meaning");
   CHECK_TEXT(cg2_event_name(alone), "alone");
   CHECK_TEXT(cg2_event_meaning(alone), "meaning");
   check_field(alone, COUNTER_PAIRS, 0);
   check_field(EVENT_IR, COUNTER_CLOCK, 0);
   CHECK_EQ(cg2_events.pairs.first[0], EVENT_IR);
   UInt between = cg2_event_add("between", NULL);
   UInt upper = cg2_event_add_counted("upper", NULL);
   check_field(between, COUNTER_CLOCK, 0);
   check_field(upper, COUNTER_PAIRS + 1, 0);
   UInt lower = cg2_event_add_counted("lower", NULL);
   check_field(upper, COUNTER_PAIRS + 1, EVENT_PAIR_BITS);
   check_field(lower, COUNTER_PAIRS + 1, 0);
   UInt next = cg2_event_add_counted("next", NULL);
   check_field(next, COUNTER_PAIRS + 2, 0);
   CHECK_EQ(cg2_events.pairs.n, 3);
   CHECK_EQ(cg2_events.pairs.first[1], upper);
   CHECK_EQ(cg2_events.pairs.first[2], lower);
}

/* Events that there is no field for are events all the same. */
static void test_out_of_fields(void)
{
   for (UInt i = 0; i < 2 * EVENT_PAIRS_MAX; i++)
      check_field(cg2_event_add_counted("fits", NULL), COUNTER_PAIRS + i / 2,
                  0);
   UInt more = cg2_event_add_counted("more", NULL);
   CHECK_TEXT(cg2_event_name(more), "more");
   check_field(more, COUNTER_CLOCK, 0);
   check_field(cg2_event_add_counted("yet more", NULL), COUNTER_CLOCK, 0);
   CHECK_EQ(cg2_events.pairs.n, EVENT_PAIRS_MAX);
}

/* What generated code counted in fields is the cost of their events, also of
 * one that is alone in its pair, and the last of all. */
static void test_counted_costs(void)
{
   UInt first = cg2_event_add_counted("first", NULL);
   UInt second = cg2_event_add_counted("second", NULL);
   cg2_event_add("other", NULL);
   UInt last = cg2_event_add_counted("last", NULL);
   Counters earlier = {{7 * CLOCK_INSTR}}, later = {{9 * CLOCK_INSTR}};
   const UInt events[] = {first, second, last};
   for (UInt i = 0; i < 3; i++) {
      EventField field = cg2_event_field(events[i]);
      later.of[field.counter] += (ULong)(10 + i) << field.bit;
   }
   Cost cost = {{0}};
   cg2_cost_add_counted(cost.of, later.of, earlier.of);
   const ULong expected[] = {2, 10, 11, 0, 12, 0};
   for (UInt e = 0; e < 6; e++)
      CHECK_EQ(cost.of[e], expected[e]);
}

int main(int n, char** names)
{
   static const Test tests[] = {
      {"counted", test_counted},
      {"out_of_fields", test_out_of_fields},
      {"counted_costs", test_counted_costs},
      {"names", test_names},
      {"estimate", test_estimate},
      {"limit", test_limit},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
