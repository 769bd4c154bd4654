#include "engine/event.h"

enum { TERM_SIZE = 40 }; /* characters of a formula for an event */

/* Reason for a mutable file-scope object: configuration. */
EventColumns cg2_events = {.n = 1};

/* What only this file knows of an event. */
typedef struct EventDescription {
   const HChar *name, *meaning;
   EventField field;
   UInt cycles; /* that an estimate counts beyond those of the instruction */
} EventDescription;

/* Reason for a mutable file-scope object: configuration. */
static struct {
   EventDescription events[EVENTS_MAX];
   DerivedEvent derived[DERIVED_EVENTS_MAX];
   UInt n_derived;
   HChar estimate[4 + EVENTS_MAX * TERM_SIZE]; /* a formula; empty: none */
   UInt estimate_size;                         /* characters */
} described = {.events[EVENT_IR].name = "Ir"};

UInt cg2_event_add(const HChar* name, const HChar* meaning)
{
   UInt event = cg2_events.n;
   tl_assert(event < EVENTS_MAX);
   described.events[event].name = name;
   described.events[event].meaning = meaning;
   cg2_events.n++;
   return event;
}

/* Whether an event is the only one of its pair, where it has the lower field.
 * The upper one is that of the event before, and stays zero. */
static Bool is_alone(UInt event)
{
   UInt counter = described.events[event].field.counter;
   return counter != COUNTER_CLOCK &&
          described.events[event - 1].field.counter != counter &&
          described.events[event].field.bit == 0;
}

UInt cg2_event_add_counted(const HChar* name, const HChar* meaning)
{
   EventPairs* pairs = &cg2_events.pairs;
   UInt event = cg2_event_add(name, meaning), before = event - 1;
   if (is_alone(before)) {
      described.events[before].field.bit = EVENT_PAIR_BITS;
      described.events[event].field =
         (EventField){described.events[before].field.counter, 0};
      pairs->first[pairs->n - 1] = before;
   } else if (pairs->n < EVENT_PAIRS_MAX) {
      described.events[event].field = (EventField){COUNTER_PAIRS + pairs->n, 0};
      pairs->first[pairs->n++] = before;
   }
   return event;
}

EventField cg2_event_field(UInt event)
{
   return described.events[event].field;
}

void cg2_event_derive(const HChar* name,
                      const HChar* formula,
                      const HChar* meaning)
{
   tl_assert(described.n_derived < DERIVED_EVENTS_MAX);
   described.derived[described.n_derived++] =
      (DerivedEvent){name, formula, meaning};
}

void cg2_event_estimate(UInt event, UInt cycles)
{
   const HChar* name = cg2_event_name(event);
   if (!cycles) return;
   if (!described.estimate_size) {
      cg2_event_derive("CEst", described.estimate, "Cycle Estimation");
      described.estimate_size = VG_(sprintf)(described.estimate, "Ir");
   }
   tl_assert(VG_(strlen)(name) + 20 < TERM_SIZE);
   described.estimate_size += VG_(sprintf)(
      described.estimate + described.estimate_size, " + %u %s", cycles, name);
   tl_assert(described.estimate_size < sizeof described.estimate);
   described.events[event].cycles += cycles;
}

Bool cg2_event_cycles(const ULong* cost, ULong* cycles)
{
   *cycles = cost[EVENT_IR];
   for (UInt e = 0; e < cg2_events.n; e++)
      *cycles += described.events[e].cycles * cost[e];
   return described.estimate_size > 0;
}

const DerivedEvent* cg2_event_derived(UInt i)
{
   return i < described.n_derived ? &described.derived[i] : NULL;
}

const HChar* cg2_event_name(UInt event)
{
   tl_assert(event < cg2_events.n);
   return described.events[event].name;
}

const HChar* cg2_event_meaning(UInt event)
{
   tl_assert(event < cg2_events.n);
   return described.events[event].meaning;
}
