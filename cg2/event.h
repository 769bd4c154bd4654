/* Events: the columns of a profile.
 *
 * Static events happen each time that an instruction executes and cost nothing
 * at run time beyond the execution counter of their segment; dynamic events
 * would be counted one by one. Ir is the only event so far, and static. */
#ifndef CG2_EVENT_H
#define CG2_EVENT_H

#include "vg.h"

enum { EVENT_IR, EVENT_COUNT };

/* Short name, as in the "events:" line. */
const HChar* cg2_event_name(UInt event);

/* A vector of counts, one for each event. */
typedef struct Cost {
   ULong of[EVENT_COUNT];
} Cost;

static inline void cg2_cost_add(Cost* to, const Cost* more)
{
   for (UInt e = 0; e < EVENT_COUNT; e++)
      to->of[e] += more->of[e];
}

/* to += later - earlier */
static inline void
cg2_cost_add_difference(Cost* to, const Cost* later, const Cost* earlier)
{
   for (UInt e = 0; e < EVENT_COUNT; e++)
      to->of[e] += later->of[e] - earlier->of[e];
}

static inline Bool cg2_cost_is_zero(const Cost* cost)
{
   for (UInt e = 0; e < EVENT_COUNT; e++)
      if (cost->of[e]) return False;
   return True;
}

#endif
