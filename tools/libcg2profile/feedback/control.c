#include "feedback/control.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>

static uint64_t at_most(uint64_t a, uint64_t b)
{
   return a < b ? a : b;
}

static uint64_t less(uint64_t a, uint64_t b)
{
   return a > b ? a - b : 0;
}

/* The first spot from `near` on, at which an address is not reached, that
 * reaches it; looked for in steps that double, as it mostly is close. */
static size_t
first_behind(const Control* control, size_t near, uint64_t address)
{
   const uint64_t* all = control->counts->addresses;
   size_t low = near, step = 1;
   while (step < control->n - low && all[low + step] < address) {
      low += step;
      step *= 2;
   }
   size_t end = step < control->n - low ? low + step : control->n;
   return cg2p_search_first(i, low, end, all[i] < address);
}

/* The first spot that reaches an address, which spot `near` does. */
static size_t
first_before(const Control* control, size_t near, uint64_t address)
{
   const uint64_t* all = control->counts->addresses;
   size_t end = near, step = 1;
   while (step <= end && all[end - step] >= address) {
      end -= step;
      step *= 2;
   }
   size_t low = step <= end ? end - step : 0;
   return cg2p_search_first(i, low, end, all[i] < address);
}

size_t
cg2p_control_spot_at(const Control* control, size_t near, uint64_t address)
{
   const uint64_t* all = control->counts->addresses;
   bool is_behind = near < control->n && all[near] < address;
   size_t at = is_behind ? first_behind(control, near, address)
                         : first_before(control, near, address);
   return at < control->n && all[at] == address ? at : control->n;
}

/*--- Transfers ----------------------------------------------------------*/

/* Whether an instruction with a target of its own leads to a stub: the profile
 * says that something else was called. */
static bool is_through_stub(const cg2p_step* step, const uint64_t* transfer)
{
   bool has_target = step->kind == CG2P_BRANCHES || step->kind == CG2P_JUMPS ||
                     step->kind == CG2P_CALLS;
   return has_target && transfer[TRANSFER_KIND] == TRANSFER_CALL &&
          transfer[TRANSFER_TO] != step->target;
}

/* Takes a transfer from spot `from` into account, `n`: from outside. */
static void take(Control* control, size_t from, size_t number)
{
   const uint64_t* transfer = cg2p_sums_at(&control->counts->transfers, number);
   bool is_own = from < control->n;
   size_t to = cg2p_control_spot_at(control, from, transfer[TRANSFER_TO]);
   if (is_own && transfer[TRANSFER_KIND] == TRANSFER_JUMP &&
       control->steps[from].kind < CG2P_BRANCHES)
      return; /* it repeats itself */
   if (to < control->n)
      control->passages[to].entered += transfer[TRANSFER_COUNT];
   if (!is_own) return;
   StepCounts* passage = &control->passages[from];
   passage->left += transfer[TRANSFER_COUNT];
   passage->has_stub |= is_through_stub(&control->steps[from], transfer);
   if (!passage->end) passage->first = number;
   passage->end = number + 1;
}

static void take_transfers(Control* control)
{
   const Sums* transfers = &control->counts->transfers;
   size_t spot = 0;
   for (size_t i = 0; i < transfers->n; i++) {
      uint64_t from = cg2p_sums_at(transfers, i)[TRANSFER_FROM];
      while (spot < control->n && control->counts->addresses[spot] < from)
         spot++;
      bool is_own =
         spot < control->n && control->counts->addresses[spot] == from;
      take(control, is_own ? spot : control->n, i);
   }
}

/*--- Counts -------------------------------------------------------------*/

/* Whether an instruction costs what it does not run. */
static bool costs_more(const Control* control, size_t i)
{
   const StepCounts* passage = &control->passages[i];
   uint64_t cost = cg2p_sums_at(&control->counts->spots, i)[SPOT_COST];
   switch (control->steps[i].kind) {
   case CG2P_REPEATS:
      return true;
   case CG2P_BRANCHES:
      return passage->has_stub;
   case CG2P_JUMPS:
   case CG2P_JUMPS_COMPUTED:
      return control->counts->has_jumps && cost != passage->left;
   case CG2P_CALLS:
   case CG2P_CALLS_COMPUTED:
      return cost != passage->left;
   default:
      return false;
   }
}

/* How often an instruction may have gone on to the next one. */
static uint64_t offer_of(const Control* control, size_t i)
{
   const StepCounts* passage = &control->passages[i];
   switch (control->steps[i].kind) {
   case CG2P_BRANCHES:
      return passage->has_stub ? passage->count
                               : less(passage->count, passage->left);
   case CG2P_JUMPS:
   case CG2P_JUMPS_COMPUTED:
   case CG2P_RETURNS:
   case CG2P_STOPS:
      return 0;
   default:
      return passage->count;
   }
}

/* Takes the jump of spot i - 1 to spot i, behind it, into account. */
static void take_onward(Control* control, size_t i)
{
   const cg2p_step* before = &control->steps[i - 1];
   StepCounts* passage = &control->passages[i - 1];
   if (!control->counts->has_jumps || before->kind != CG2P_JUMPS ||
       before->target != control->counts->addresses[i])
      return;
   passage->onward = less(passage->count, passage->left);
   control->passages[i].entered += passage->onward;
}

static void count(Control* control, size_t i)
{
   StepCounts* passage = &control->passages[i];
   bool has_before = i && cg2p_control_has_next(control, i - 1);
   if (has_before) take_onward(control, i);
   uint64_t offered = has_before ? offer_of(control, i - 1) : 0;
   passage->count = costs_more(control, i)
                       ? passage->entered + offered
                       : cg2p_sums_at(&control->counts->spots, i)[SPOT_COST];
   uint64_t wanted = less(passage->count, passage->entered);
   uint64_t passed = at_most(offered, wanted);
   if (has_before) passage[-1].passed = passed;
   passage->outside = wanted - passed;
}

void cg2p_control_find(Control* control,
                       Failure* failure,
                       const Counts* counts,
                       const cg2p_step* steps)
{
   control->counts = counts;
   control->n = counts->spots.n;
   control->steps =
      cg2p_memory_allocate(failure, (control->n + 1) * sizeof *control->steps);
   memcpy(control->steps, steps, control->n * sizeof *steps);
   control->passages = cg2p_memory_allocate(
      failure, (control->n + 1) * sizeof *control->passages);
   take_transfers(control);
   for (size_t i = 0; i < control->n; i++)
      count(control, i);
}

void cg2p_control_free(Control* control)
{
   free(control->steps);
   free(control->passages);
}
