#include "cycles/charges.h"

const char* const cg2p_charges_events[CAUSES] = {
   "CyRet", "CyFe", "CyBr", "CyDep", "CyPort", "CyDiv",
   "CyFwd", "CyL1", "CyL2", "CyLL",  "CyTLB"};

/* Charges what is lost to piece `i`, as much as its length; what is left. */
static uint64_t charge_piece(Charge* charge,
                             Charge* branch,
                             const History* history,
                             uint32_t i,
                             uint64_t width,
                             uint64_t lost)
{
   uint64_t length = history->pieces[i].until - history->pieces[i].from;
   uint64_t part = length * width < lost ? length * width : lost;
   Cause cause = history->pieces[i].cause;
   (cause == CAUSE_BRANCH ? branch : charge)->spent[cause] += part;
   return lost - part;
}

/* Whether a piece is a wait for a port: but for it all would have been done so
 * much earlier. The first piece is the time before execution. */
static bool is_wait(const History* history, uint32_t i)
{
   return i && history->pieces[i].cause == CAUSE_PORT;
}

/* Whether it was the front end that an instruction came so late from. */
static bool is_supply(Cause cause)
{
   return cause == CAUSE_FRONT_END || cause == CAUSE_CODE;
}

void cg2p_charges_add(Charge* charge,
                      Charge* branch,
                      const History* history,
                      uint64_t width,
                      uint64_t slots,
                      uint64_t lost)
{
   charge->visits++;
   charge->spent[CAUSE_RETIRING] += slots;
   uint64_t held = history->held * width < lost ? history->held * width : lost;
   charge->spent[history->held_by] += held;
   lost -= held;
   for (uint32_t i = history->n; i-- > 0 && lost;)
      if (is_wait(history, i))
         lost = charge_piece(charge, branch, history, i, width, lost);
   uint32_t first = 0;
   if (history->n && !history->waits && is_supply(history->pieces[0].cause)) {
      lost = charge_piece(charge, branch, history, 0, width, lost);
      first = 1;
   }
   for (uint32_t i = history->n; i-- > first && lost;)
      if (!is_wait(history, i))
         lost = charge_piece(charge, branch, history, i, width, lost);
   charge->spent[CAUSE_CHAIN] += lost;
}

void cg2p_charges_add_all(Charge* to, const Charge* from)
{
   to->visits += from->visits;
   for (int c = 0; c < CAUSES_APART; c++)
      to->spent[c] += from->spent[c];
}

void cg2p_charges_add_happened(Happenings* to, const Happenings* from)
{
   for (int c = 0; c < CAUSES_APART; c++)
      to->of[c] += from->of[c];
}
