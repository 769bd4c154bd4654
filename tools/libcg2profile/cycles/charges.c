#include "cycles/charges.h"

const char* const cg2p_charges_events[CAUSES] = {
   "CyRet", "CyFe", "CyBr", "CyDep", "CyPort", "CyDiv",
   "CyFwd", "CyL1", "CyL2", "CyLL",  "CyTLB"};

void cg2p_charges_add(Charge* charge,
                      const History* history,
                      uint64_t width,
                      uint64_t slots,
                      uint64_t lost)
{
   charge->visits++;
   charge->spent[CAUSE_RETIRING] += slots;
   for (uint32_t i = history->n; i-- > 0 && lost;) {
      uint64_t length = history->pieces[i].until - history->pieces[i].from;
      uint64_t part = length * width < lost ? length * width : lost;
      charge->spent[history->pieces[i].cause] += part;
      lost -= part;
   }
   charge->spent[CAUSE_CHAIN] += lost;
}
