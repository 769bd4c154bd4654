#include "engine/event.h"

/* Reason for mutable file-scope objects: configuration. */
UInt cg2_event_count = 1;
static struct {
   const HChar *name, *meaning;
} events[EVENTS_MAX] = {[EVENT_IR] = {"Ir", NULL}};

UInt cg2_event_add(const HChar* name, const HChar* meaning)
{
   UInt event = cg2_event_count;
   tl_assert(event < EVENTS_MAX);
   events[event].name = name;
   events[event].meaning = meaning;
   cg2_event_count++;
   return event;
}

/* Reason for a mutable file-scope object: configuration. */
EventPairs cg2_event_pairs;

/* Reason for a mutable file-scope object: configuration. */
static EventField fields[EVENTS_MAX]; /* of each event */

/* Whether an event is the only one of its pair, where it has the lower field.
 * The upper one is that of the event before, and stays zero. */
static Bool is_alone(UInt event)
{
   UInt counter = fields[event].counter;
   return counter != COUNTER_CLOCK && fields[event - 1].counter != counter &&
          fields[event].bit == 0;
}

UInt cg2_event_add_counted(const HChar* name, const HChar* meaning)
{
   EventPairs* pairs = &cg2_event_pairs;
   UInt event = cg2_event_add(name, meaning), before = event - 1;
   if (is_alone(before)) {
      fields[before].bit = EVENT_PAIR_BITS;
      fields[event] = (EventField){fields[before].counter, 0};
      pairs->first[pairs->n - 1] = before;
   } else if (pairs->n < EVENT_PAIRS_MAX) {
      fields[event] = (EventField){COUNTER_PAIRS + pairs->n, 0};
      pairs->first[pairs->n++] = before;
   }
   return event;
}

EventField cg2_event_field(UInt event)
{
   return fields[event];
}

/* Reason for mutable file-scope objects: configuration. */
static struct {
   DerivedEvent of[DERIVED_EVENTS_MAX];
   UInt n;
} derived;

enum { TERM_SIZE = 40 }; /* characters */

/* Reason for mutable file-scope objects: configuration. */
static struct {
   HChar formula[4 + EVENTS_MAX * TERM_SIZE];
   UInt n;                  /* characters */
   UInt cycles[EVENTS_MAX]; /* of each event, beyond its instruction */
} estimate;

void cg2_event_derive(const HChar* name,
                      const HChar* formula,
                      const HChar* meaning)
{
   tl_assert(derived.n < DERIVED_EVENTS_MAX);
   derived.of[derived.n++] = (DerivedEvent){name, formula, meaning};
}

void cg2_event_estimate(UInt event, UInt cycles)
{
   const HChar* name = cg2_event_name(event);
   if (!cycles) return;
   if (!estimate.n) {
      cg2_event_derive("CEst", estimate.formula, "Cycle Estimation");
      estimate.n = VG_(sprintf)(estimate.formula, "Ir");
   }
   tl_assert(VG_(strlen)(name) + 20 < TERM_SIZE);
   estimate.n +=
      VG_(sprintf)(estimate.formula + estimate.n, " + %u %s", cycles, name);
   tl_assert(estimate.n < sizeof estimate.formula);
   estimate.cycles[event] += cycles;
}

Bool cg2_event_cycles(const ULong* cost, ULong* cycles)
{
   *cycles = cost[EVENT_IR];
   for (UInt e = 0; e < cg2_event_count; e++)
      *cycles += estimate.cycles[e] * cost[e];
   return estimate.n > 0;
}

const DerivedEvent* cg2_event_derived(UInt i)
{
   return i < derived.n ? &derived.of[i] : NULL;
}

const HChar* cg2_event_name(UInt event)
{
   tl_assert(event < cg2_event_count);
   return events[event].name;
}

const HChar* cg2_event_meaning(UInt event)
{
   tl_assert(event < cg2_event_count);
   return events[event].meaning;
}
