#include "model/callgrind/branch.h"

#include "arch/guest.h"

enum { ADDRESS_BITS = 7, HISTORIES = BRANCH_HISTORY_MASK + 1, TARGETS = 512 };

/* Reason for a mutable file-scope object: the predictors of the process's
 * machine. Generated code has its addresses. */
static struct {
   UWord history;
   UChar counters[1 << ADDRESS_BITS][HISTORIES];
   Addr targets[TARGETS];
} predictors;

enum { WRONG = 1 << BRANCH_WRONG_BIT, NOW_2 = 2 | WRONG, NOW_4 = 4 | WRONG };

/* Whether the prediction before was wrong makes no difference. */
const UChar cg2_branch_next[] = {0, NOW_2, 0, NOW_4, NOW_2, 6, NOW_4, 6,
                                 0, NOW_2, 0, NOW_4, NOW_2, 6, NOW_4, 6};

UChar* cg2_branch_counters(Addr addr)
{
   return predictors.counters[addr / GUEST_INSTR_ALIGN % (1 << ADDRESS_BITS)];
}

Addr* cg2_branch_target(Addr addr)
{
   return &predictors.targets[addr / GUEST_INSTR_ALIGN % TARGETS];
}

Bool cg2_branch_conditional(Addr addr, Bool is_taken)
{
   UWord* history = &predictors.history;
   UChar* counter = &cg2_branch_counters(addr)[*history];
   *counter = cg2_branch_next[*counter | is_taken];
   *history = (*history << 1 | is_taken) & BRANCH_HISTORY_MASK;
   return *counter >> BRANCH_WRONG_BIT;
}

Bool cg2_branch_indirect(Addr addr, Addr target)
{
   Addr* last = cg2_branch_target(addr);
   Bool is_wrong = *last != target;
   *last = target;
   return is_wrong;
}

void cg2_branch_clear(void)
{
   VG_(memset)(&predictors, 0, sizeof predictors);
}
