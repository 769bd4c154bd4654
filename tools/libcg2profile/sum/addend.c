#include "sum/addend.h"

_Noreturn void cg2p_addend_refuse(cg2p_merge* m)
{
   cg2p_failure_at(&m->failure, 1,
                   "its sum with the other profiles does not fit into 64 bits; "
                   "expected numbers that do");
}

void cg2p_addend_add_number(cg2p_merge* m, uint64_t* sum, uint64_t more)
{
   if (__builtin_add_overflow(*sum, more, sum)) cg2p_addend_refuse(m);
}

void cg2p_addend_add_cost(cg2p_merge* m, uint64_t* sum, const uint64_t* more)
{
   const uint32_t* events = m->more.mapping.events;
   for (uint32_t i = 0; i < m->more.part->n_events; i++)
      if (!events)
         cg2p_addend_add_number(m, &sum[i], more[i]);
      else if (events[i] != CG2P_NO_EVENT)
         cg2p_addend_add_number(m, &sum[events[i]], more[i]);
}
