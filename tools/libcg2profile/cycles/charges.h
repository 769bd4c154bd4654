/* What cycles are charged to. A core retires instructions in order. What an
 * instruction retires later than the one before it, beyond what its slots take,
 * it was held back for: its own history says by what. All that it waited for
 * from earlier instructions is charged to those, as they have retired. */
#ifndef CG2P_CHARGES_H
#define CG2P_CHARGES_H

#include "cycles/rates.h"

/* In the order of the events. */
typedef enum Cause {
   CAUSE_RETIRING,
   CAUSE_FRONT_END,
   CAUSE_BRANCH,
   CAUSE_CHAIN,
   CAUSE_PORT,
   CAUSE_DIVIDER,
   CAUSE_FORWARDING,
   CAUSE_LEVEL_1,
   CAUSE_LEVEL_2,
   CAUSE_LAST_LEVEL,
   CAUSE_TRANSLATION,
   CAUSES,
   CAUSE_CODE = CAUSES, /* code that is not there, a part of the front end's */
   CAUSES_APART,        /* that are kept apart in the walk */
} Cause;

/* CyRet, ... */
extern const char* const cg2p_charges_events[CAUSES];

/* How much happened at a spot of what comes at rates; see rates.h. */
typedef struct Happenings {
   uint32_t of[CAUSES_APART];
} Happenings;

/* A spot where something comes at rates: what is left over of them, and how
 * much has happened there. */
typedef struct RatedSpot {
   Rates rests;
   Happenings happened;
} RatedSpot;

/* What an instruction did until when; the last pieces of its life count. */
typedef struct History {
   uint64_t until;
   uint32_t n;
   bool waits; /* for what earlier instructions make */
   Happenings happened;
   uint64_t held; /* cycles that there was no room for it to store, */
   Cause held_by; /* and why */
   struct {
      uint64_t from, until;
      Cause cause;
   } pieces[16];
} History;

/* What a spot was charged with: how often, and in all, in shares of a cycle as
 * many as the core is wide. */
typedef struct Charge {
   uint32_t visits;
   uint32_t spent[CAUSES_APART];
} Charge;

static inline void cg2p_charges_begin(History* history, uint64_t at)
{
   history->until = at;
   history->n = 0;
   history->waits = false;
   history->held = 0;
   history->held_by = CAUSE_PORT;
   for (int c = 0; c < CAUSES_APART; c++)
      history->happened.of[c] = 0;
}

/* Goes on to a time, which may have passed already. */
static inline void
cg2p_charges_extend(History* history, uint64_t until, Cause cause)
{
   enum { PIECES = 16 };
   if (until <= history->until) return;
   if (history->n < PIECES) {
      history->pieces[history->n].from = history->until;
      history->pieces[history->n].until = until;
      history->pieces[history->n++].cause = cause;
   }
   history->until = until;
}

/* Charges a visit: `slots` of retiring, and `lost` more to what held it, to
 * waits for ports, then to the time before execution if that is all it waits
 * for, then to what came last; what is lost to a branch before it, to that one.
 */
void cg2p_charges_add(Charge* charge,
                      Charge* branch,
                      const History* history,
                      uint64_t width,
                      uint64_t slots,
                      uint64_t lost);

/* Adds all that one spot was charged with to what another one was. */
void cg2p_charges_add_all(Charge* to, const Charge* from);
void cg2p_charges_add_happened(Happenings* to, const Happenings* from);

#endif
