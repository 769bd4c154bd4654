/* Costs: vectors of counts, one word for each event.
 *
 * Records of which there are many have room for just the events that there
 * are, so a vector is handed around as a pointer to its first word. */
#ifndef CG2_COST_H
#define CG2_COST_H

#include "engine/event.h"

/* A vector with room for all events that there may be. */
typedef struct Cost {
   ULong of[EVENTS_MAX];
} Cost;

/* The costs of two neighbouring events, which most processors add at once. */
typedef ULong TwoCosts __attribute__((vector_size(16), aligned(8), may_alias));

/* The costs of `event` and the next one. */
static inline TwoCosts* cg2_cost_two_at(const ULong* of, UInt event)
{
   return (TwoCosts*)(of + event);
}

/* What generated code has counted: one word for each counter of event.h. */
typedef struct Counters {
   ULong of[COUNTERS_MAX];
} Counters;

/* Copies the counters that are used: the clock and those of pairs. */
static inline void cg2_cost_copy_counters(ULong* to, const ULong* from)
{
   to[COUNTER_CLOCK] = from[COUNTER_CLOCK];
   for (UInt i = 0, n = cg2_events.pairs.n; i < n; i++)
      to[COUNTER_PAIRS + i] = from[COUNTER_PAIRS + i];
}

/* Adds to `to` what was counted between the times at which the counters were
 * `earlier` and `later`. */
static inline void
cg2_cost_add_counted(ULong* to, const ULong* later, const ULong* earlier)
{
   enum { MASK = (1 << EVENT_PAIR_BITS) - 1 };
   to[EVENT_IR] +=
      (later[COUNTER_CLOCK] - earlier[COUNTER_CLOCK]) / CLOCK_INSTR;
   for (UInt i = 0, end = cg2_events.pairs.n; i < end; i++) {
      ULong n = later[COUNTER_PAIRS + i] - earlier[COUNTER_PAIRS + i];
      ULong* pair = to + cg2_events.pairs.first[i];
      pair[0] += n >> EVENT_PAIR_BITS;
      pair[1] += n & MASK;
   }
}

/* Does the same as cg2_cost_add_counted() by one store for each pair: whoever
 * soon loads both words at a time would wait for two stores. */
static inline void
cg2_cost_add_counted_pairs(ULong* to, const ULong* later, const ULong* earlier)
{
   enum { MASK = (1 << EVENT_PAIR_BITS) - 1 };
   to[EVENT_IR] +=
      (later[COUNTER_CLOCK] - earlier[COUNTER_CLOCK]) / CLOCK_INSTR;
   for (UInt i = 0, end = cg2_events.pairs.n; i < end; i++) {
      ULong n = later[COUNTER_PAIRS + i] - earlier[COUNTER_PAIRS + i];
      *cg2_cost_two_at(to, cg2_events.pairs.first[i]) +=
         (TwoCosts){n >> EVENT_PAIR_BITS, n & MASK};
   }
}

/* Adds `more` to `to`. */
static inline void cg2_cost_add(ULong* to, const ULong* more)
{
   to[0] += more[0];
   if (!cg2_event_has_more()) return;
   UInt e = 1, n = cg2_events.n;
   for (; e + 1 < n; e += 2)
      *cg2_cost_two_at(to, e) += *cg2_cost_two_at(more, e);
   if (e < n) to[e] += more[e];
}

/* Does the same as cg2_cost_add() word by word: where single words of `more`
 * have just been stored, to load two at a time would wait for the stores. */
static inline void cg2_cost_add_each(ULong* to, const ULong* more)
{
   for (UInt e = 0; e < cg2_events.n; e++)
      to[e] += more[e];
}

/* Adds the difference `later` - `earlier` to `to`. */
static inline void
cg2_cost_add_difference(ULong* to, const ULong* later, const ULong* earlier)
{
   to[0] += later[0] - earlier[0];
   if (!cg2_event_has_more()) return;
   UInt e = 1, n = cg2_events.n;
   for (; e + 1 < n; e += 2)
      *cg2_cost_two_at(to, e) +=
         *cg2_cost_two_at(later, e) - *cg2_cost_two_at(earlier, e);
   if (e < n) to[e] += later[e] - earlier[e];
}

/* Adds `n` times the difference `later` - `earlier` to `to`. */
static inline void
cg2_cost_add_times(ULong* to, const ULong* later, const ULong* earlier, ULong n)
{
   for (UInt e = 0; e < cg2_events.n; e++)
      to[e] += n * (later[e] - earlier[e]);
}

/* Makes `to` equal to `from`. */
static inline void cg2_cost_copy(ULong* to, const ULong* from)
{
   to[0] = from[0];
   if (!cg2_event_has_more()) return;
   UInt e = 1, n = cg2_events.n;
   for (; e + 1 < n; e += 2)
      *cg2_cost_two_at(to, e) = *cg2_cost_two_at(from, e);
   if (e < n) to[e] = from[e];
}

/* Makes all words of `cost` 0. */
static inline void cg2_cost_clear(ULong* cost)
{
   for (UInt e = 0; e < cg2_events.n; e++)
      cost[e] = 0;
}

/* Whether all words of `cost` are 0. */
static inline Bool cg2_cost_is_zero(const ULong* cost)
{
   for (UInt e = 0; e < cg2_events.n; e++)
      if (cost[e]) return False;
   return True;
}

#endif
