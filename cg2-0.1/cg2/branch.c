#include "branch.h"

enum {
   ADDRESS_BITS = 7,
   HISTORY_BITS = 7,
   COUNTERS = 1 << (ADDRESS_BITS + HISTORY_BITS),
   TARGETS = 512
};

/* Reason for a mutable file-scope object: the predictors of the process's
 * machine. */
static struct {
   UChar counters[COUNTERS]; /* from 0, surely not taken, to 3, surely taken */
   UInt history;             /* a bit for each outcome, the newest lowest */
   Addr targets[TARGETS];
} predictors;

Bool cg2_branch_conditional(Addr addr, Bool is_taken)
{
   UInt place = addr & ((1 << ADDRESS_BITS) - 1);
   UInt past = predictors.history & ((1 << HISTORY_BITS) - 1);
   UChar* counter = &predictors.counters[place << HISTORY_BITS | past];
   Bool is_predicted = *counter >> 1;
   if (is_taken)
      *counter += *counter < 3;
   else
      *counter -= *counter > 0;
   predictors.history = predictors.history << 1 | is_taken;
   return is_predicted != is_taken;
}

Bool cg2_branch_indirect(Addr addr, Addr target)
{
   Addr* last = &predictors.targets[addr % TARGETS];
   Bool is_wrong = *last != target;
   *last = target;
   return is_wrong;
}

void cg2_branch_clear(void)
{
   VG_(memset)(&predictors, 0, sizeof predictors);
}
