/* Events: the columns of a profile, and vectors of their counts.
 *
 * The first event is always Ir; options add others before the program starts.
 * Whoever adds one keeps its number and counts it.
 *
 * A vector of costs has one word for each event that there is. Records of which
 * there are many have room for just that, so vectors are handed around as a
 * pointer to their first word; a Cost has room for all that there may be. */
#ifndef CG2_EVENT_H
#define CG2_EVENT_H

#include "vg.h"

enum { EVENT_IR = 0, EVENTS_MAX = 80 };

/* How many events there are. Constant once the program runs. */
extern UInt cg2_event_count;

/* Adds an event; the answer is its number. `name` is what stands in the
 * "events:" line; `meaning`, or NULL, what viewers show for it. Both must stay
 * valid. */
UInt cg2_event_add(const HChar* name, const HChar* meaning);

/* An event that viewers compute: `formula` is "Ir + 10 D1mr". All must stay
 * valid. */
void cg2_event_derive(const HChar* name,
                      const HChar* formula,
                      const HChar* meaning);

/* One of them takes so many cycles beyond the instruction: a term of CEst,
 * which viewers compute, in the order of these calls. Of 0 cycles there is
 * none. */
void cg2_event_estimate(UInt event, UInt cycles);

/* What viewers compute, from 0; NULL: no more. */
typedef struct DerivedEvent {
   const HChar *name, *formula, *meaning;
} DerivedEvent;
enum { DERIVED_EVENTS_MAX = 4 };
const DerivedEvent* cg2_event_derived(UInt i);

const HChar* cg2_event_name(UInt event);
const HChar* cg2_event_meaning(UInt event);

typedef struct Cost {
   ULong of[EVENTS_MAX];
} Cost;

/* Most runs have one event, so the first is done apart. Of many, two are done
 * at a time. */
static inline Bool cg2_event_has_more(void)
{
   return __builtin_expect(cg2_event_count > 1, 0);
}

typedef ULong TwoCosts __attribute__((vector_size(16), aligned(8), may_alias));

static inline TwoCosts* cg2_costs_at(const ULong* of, UInt event)
{
   return (TwoCosts*)(of + event);
}

/* Events that nearly each block counts by a constant are counted together, a
 * field of one word for each. A field has room for so many blocks, if none
 * counts more than EVENT_FIELD_TIMES in it. */
enum {
   EVENT_FIELD_BITS = 21,
   EVENT_FIELD_TIMES = 6,
   EVENT_FIELD_BLOCKS = 300000
};
_Static_assert(EVENT_FIELD_TIMES* EVENT_FIELD_BLOCKS < 1 << EVENT_FIELD_BITS,
               "what blocks count fits their field");

/* Fields 0 and 1 are of an event and the next one, field 2 of another; 0: of
 * none. Filled before the program runs, then constant. */
typedef struct EventFields {
   UInt pair, single;
} EventFields;
extern EventFields cg2_event_fields;

/* The first bit of the event's field, or -1. */
Int cg2_event_field(UInt event);

/* Adds what such a word counts. Two at a time, as costs are read: the host
 * waits where it reads at once what was just written in pieces. */
static inline void cg2_cost_add_fields(ULong* to, ULong fields)
{
   enum { MASK = (1 << EVENT_FIELD_BITS) - 1 };
   EventFields of = cg2_event_fields;
   ULong first = fields & MASK, second = fields >> EVENT_FIELD_BITS & MASK;
   ULong third = fields >> 2 * EVENT_FIELD_BITS;
   if (of.pair) *cg2_costs_at(to, of.pair) += (TwoCosts){first, second};
   if (of.single) *cg2_costs_at(to, of.single) += (TwoCosts){third, 0};
}

/* to += more */
static inline void cg2_cost_add(ULong* to, const ULong* more)
{
   to[0] += more[0];
   if (!cg2_event_has_more()) return;
   UInt e = 1, n = cg2_event_count;
   for (; e + 1 < n; e += 2)
      *cg2_costs_at(to, e) += *cg2_costs_at(more, e);
   if (e < n) to[e] += more[e];
}

/* to += later - earlier */
static inline void
cg2_cost_add_difference(ULong* to, const ULong* later, const ULong* earlier)
{
   to[0] += later[0] - earlier[0];
   if (!cg2_event_has_more()) return;
   UInt e = 1, n = cg2_event_count;
   for (; e + 1 < n; e += 2)
      *cg2_costs_at(to, e) +=
         *cg2_costs_at(later, e) - *cg2_costs_at(earlier, e);
   if (e < n) to[e] += later[e] - earlier[e];
}

static inline void cg2_cost_copy(ULong* to, const ULong* from)
{
   to[0] = from[0];
   if (!cg2_event_has_more()) return;
   UInt e = 1, n = cg2_event_count;
   for (; e + 1 < n; e += 2)
      *cg2_costs_at(to, e) = *cg2_costs_at(from, e);
   if (e < n) to[e] = from[e];
}

static inline void cg2_cost_clear(ULong* cost)
{
   for (UInt e = 0; e < cg2_event_count; e++)
      cost[e] = 0;
}

static inline Bool cg2_cost_is_zero(const ULong* cost)
{
   for (UInt e = 0; e < cg2_event_count; e++)
      if (cost[e]) return False;
   return True;
}

#endif
