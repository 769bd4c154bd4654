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

#include "base/vg.h"

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

/* What generated code counts: instructions, as ticks of a clock; and pairs of
 * an event and the next one, a word for each. */
enum { COUNTER_CLOCK, COUNTER_PAIRS, EVENT_PAIRS_MAX = 4 };
enum { COUNTERS_MAX = COUNTER_PAIRS + EVENT_PAIRS_MAX };
typedef struct Counters {
   ULong of[COUNTERS_MAX];
} Counters;

/* So many ticks are an instruction. */
enum { CLOCK_INSTR = 32 };

/* The second event of a pair has the lower bits. They have room for so many
 * blocks, if none counts more than EVENT_PAIR_TIMES there. */
enum {
   EVENT_PAIR_BITS = 27,
   EVENT_PAIR_TIMES = 440,
   EVENT_PAIR_BLOCKS = 300000
};
_Static_assert(EVENT_PAIR_TIMES* EVENT_PAIR_BLOCKS < 1 << EVENT_PAIR_BITS,
               "what blocks count fits a pair");

/* Filled before the program runs, then constant. */
typedef struct EventPairs {
   UInt first[EVENT_PAIRS_MAX]; /* events */
   UInt n;
} EventPairs;
extern EventPairs cg2_event_pairs;

/* Generated code counts this event and the next. */
void cg2_event_add_pair(UInt first);

/* Where it counts an event: the lowest bit, in a counter; that is COUNTER_CLOCK
 * if it does not. */
typedef struct EventField {
   UInt counter, bit;
} EventField;
EventField cg2_event_field(UInt event);

/* Those that are used. */
static inline void cg2_counters_copy(ULong* to, const ULong* from)
{
   to[COUNTER_CLOCK] = from[COUNTER_CLOCK];
   for (UInt i = 0, n = cg2_event_pairs.n; i < n; i++)
      to[COUNTER_PAIRS + i] = from[COUNTER_PAIRS + i];
}

/* to += what was counted between two times */
static inline void
cg2_cost_add_counted(ULong* to, const ULong* later, const ULong* earlier)
{
   enum { MASK = (1 << EVENT_PAIR_BITS) - 1 };
   to[EVENT_IR] +=
      (later[COUNTER_CLOCK] - earlier[COUNTER_CLOCK]) / CLOCK_INSTR;
   for (UInt i = 0, end = cg2_event_pairs.n; i < end; i++) {
      ULong n = later[COUNTER_PAIRS + i] - earlier[COUNTER_PAIRS + i];
      ULong* pair = to + cg2_event_pairs.first[i];
      pair[0] += n >> EVENT_PAIR_BITS;
      pair[1] += n & MASK;
   }
}

/* Likewise, for costs of which soon two are loaded at a time: that would wait
 * for two stores. */
static inline void
cg2_cost_add_counted_pairs(ULong* to, const ULong* later, const ULong* earlier)
{
   enum { MASK = (1 << EVENT_PAIR_BITS) - 1 };
   to[EVENT_IR] +=
      (later[COUNTER_CLOCK] - earlier[COUNTER_CLOCK]) / CLOCK_INSTR;
   for (UInt i = 0, end = cg2_event_pairs.n; i < end; i++) {
      ULong n = later[COUNTER_PAIRS + i] - earlier[COUNTER_PAIRS + i];
      *cg2_costs_at(to, cg2_event_pairs.first[i]) +=
         (TwoCosts){n >> EVENT_PAIR_BITS, n & MASK};
   }
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

/* Likewise, if single ones of `more` have just been stored: to load two at a
 * time would wait for that. */
static inline void cg2_cost_add_each(ULong* to, const ULong* more)
{
   for (UInt e = 0; e < cg2_event_count; e++)
      to[e] += more[e];
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
