/* Events: the columns of a profile.
 *
 * The first event is always Ir; options add others before the program starts.
 * Whoever adds an event keeps its number and counts it. Viewers compute
 * further, derived events from these.
 *
 * There are two kinds of events.
 *
 * - An event *that happens each time* belongs to an instruction, or to a
 *   statement of its IR: a read, a branch, an atomic access. Instrumentation
 *   sees it in the block, so how often it happened follows from how often its
 *   segment was executed, and it needs no slot (BlockEvent.times > 0). Only
 *   the thread's total must be moved on each time, by generated code, in a
 *   field of a counter. Add it by cg2_event_add_counted, and note it in
 *   BlockEvents; all else follows (translate/instrument).
 * - An event *that happens now and then*, such as a miss, is seen when it
 *   happens. The instruction has a slot for it (BlockEvent.times == 0). Add it
 *   by cg2_event_add, note it, and count each one in the slot, and in
 *   the account (cg2_account_count) (events/accesses). */
#ifndef CG2_EVENT_H
#define CG2_EVENT_H

#include "base/vg.h"

enum { EVENT_IR = 0, EVENTS_MAX = 80 };

/* Generated code counts events two at a time: see cg2_event_add_counted. */
enum { EVENT_PAIRS_MAX = 4 };

/* The pairs that there are. */
typedef struct EventPairs {
   UInt first[EVENT_PAIRS_MAX]; /* number of the event of each upper field; the
                                   lower field is of the next event */
   UInt n;
} EventPairs;

typedef struct EventColumns {
   UInt n; /* how many events there are */
   EventPairs pairs;
} EventColumns;

/* Filled before the program runs, then constant. */
extern EventColumns cg2_events;

/* Adds an event and returns its number. `name` is what stands in the "events:"
 * line; `meaning`, or NULL, is what viewers show for the event. Both strings
 * must stay valid. */
UInt cg2_event_add(const HChar* name, const HChar* meaning);

/* Most runs have Ir alone, so the first event is handled apart from the rest.
 * True: there are others. */
static inline Bool cg2_event_has_more(void)
{
   return __builtin_expect(cg2_events.n > 1, 0);
}

/* The strings with which `event` was added. */
const HChar* cg2_event_name(UInt event);
const HChar* cg2_event_meaning(UInt event);

/*--- Derived events -----------------------------------------------------*/

/* An event that viewers compute: `formula` is like "Ir + 10 D1mr". */
typedef struct DerivedEvent {
   const HChar *name, *formula, *meaning;
} DerivedEvent;
enum { DERIVED_EVENTS_MAX = 4 };

/* Adds a derived event. The strings must stay valid. */
void cg2_event_derive(const HChar* name,
                      const HChar* formula,
                      const HChar* meaning);

/* Says that each `event` takes so many cycles beyond its instruction. The
 * derived event CEst, which the first call adds, has a term for each call in
 * the order of the calls; 0 cycles add no term. */
void cg2_event_estimate(UInt event, UInt cycles);

/* The cycles that CEst makes of a cost. False: nobody has estimated any. */
Bool cg2_event_cycles(const ULong* cost, ULong* cycles);

/* Derived event number `i`, counted from 0; NULL: there are no more. */
const DerivedEvent* cg2_event_derived(UInt i);

/*--- Events that generated code counts each time ------------------------*/

/* Generated code has a few words to count in: one for the instructions, as
 * ticks of a clock, and some that have two fields each. The event of the upper
 * field has the number before that of the lower field. */
enum { COUNTER_CLOCK, COUNTER_PAIRS };
enum { COUNTERS_MAX = COUNTER_PAIRS + EVENT_PAIRS_MAX };

/* How many ticks of the clock an instruction is. */
enum { CLOCK_INSTR = 32 };

/* The lower field of a pair has EVENT_PAIR_BITS bits. They have room for
 * EVENT_PAIR_BLOCKS blocks if no block counts more than EVENT_PAIR_TIMES of
 * that event. */
enum {
   EVENT_PAIR_BITS = 27,
   EVENT_PAIR_TIMES = 440,
   EVENT_PAIR_BLOCKS = 300000
};
_Static_assert(EVENT_PAIR_TIMES* EVENT_PAIR_BLOCKS < 1 << EVENT_PAIR_BITS,
               "what blocks count fits a pair");

/* Adds an event like cg2_event_add, for generated code to count. The event gets
 * a field of a counter: beside the event before, if that is alone in its pair,
 * or in a pair of its own. When there is no pair left it gets none, and is
 * counted all the same (cg2_emit_total), only more slowly. */
UInt cg2_event_add_counted(const HChar* name, const HChar* meaning);

/* Where generated code counts an event: from bit `bit` up in counter
 * `counter`, which is COUNTER_CLOCK for an event that has no field. */
typedef struct EventField {
   UInt counter, bit;
} EventField;
EventField cg2_event_field(UInt event);

#endif
