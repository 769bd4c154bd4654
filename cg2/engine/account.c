#include "engine/account.h"

void cg2_account_init(Account* a)
{
   a->has_more = cg2_path_is_on();
}

void cg2_account_charge_lost(Account* a, ULong* payer, ULong* skipped)
{
   static const Cost zero;
   if (payer)
      cg2_cost_add(payer, skipped);
   else
      cg2_cost_add_difference(a->total.of, zero.of, skipped);
   cg2_cost_clear(skipped);
}

void cg2_account_save_skipped(Account* a, Cost* to)
{
   *to = a->skipped;
   cg2_cost_clear(a->skipped.of);
}

void cg2_account_restore_skipped(Account* a, const Cost* from)
{
   a->skipped = *from;
}

void cg2_account_put_aside(Account* a, const ULong* before)
{
   cg2_cost_add_difference(a->aside.of, a->total.of, before);
   cg2_cost_copy(a->total.of, before);
}

Cost cg2_account_expense(const Account* a)
{
   Cost sum = a->total;
   cg2_cost_add(sum.of, a->aside.of);
   return sum;
}

void cg2_account_zero(Account* a)
{
   cg2_cost_clear(a->total.of);
   cg2_cost_clear(a->aside.of);
   cg2_cost_clear(a->skipped.of);
   a->n_skips = 0;
}
