/* BOLT's pre-aggregated profile, for perf2bolt -pa and llvm-bolt -pa. Numbers
 * of addresses are hexadecimal, X:0 is outside the object:
 *
 *    B from to count mispredicted    a transfer
 *    F from to count                 control went on from one to the other */
#include "feedback/bolt.h"

static void put_place(FeedbackWriter* w, uint64_t address)
{
   if (address == OUTSIDE)
      cg2p_output_string(&w->output, " X:0");
   else {
      cg2p_output_letter(&w->output, ' ');
      cg2p_feedbackwriter_put_address(w, address);
   }
}

static void put_number(FeedbackWriter* w, uint64_t number)
{
   cg2p_output_letter(&w->output, ' ');
   cg2p_output_decimal(&w->output, number);
}

static void put_transfer(FeedbackWriter* w,
                         uint64_t from,
                         uint64_t to,
                         uint64_t count,
                         uint64_t mispredicted)
{
   if (!count || (from == OUTSIDE && to == OUTSIDE)) return;
   cg2p_output_letter(&w->output, 'B');
   put_place(w, from);
   put_place(w, to);
   put_number(w, count);
   put_number(w, mispredicted);
   cg2p_output_letter(&w->output, '\n');
}

/*--- Transfers from an instruction --------------------------------------*/

/* How many mispredictions the first `part` of `whole` transfers have. */
static uint64_t share(uint64_t mispredicted, uint64_t part, uint64_t whole)
{
   if (mispredicted > whole) mispredicted = whole;
   return whole ? (unsigned __int128)mispredicted * part / whole : 0;
}

/* Puts the transfers from spot `i`, which share its mispredictions. */
static void put_own(FeedbackWriter* w, size_t i)
{
   const Counts* counts = &w->feedback->counts;
   const StepCounts* passage = &w->feedback->control.passages[i];
   const uint64_t* spot = cg2p_sums_at(&counts->spots, i);
   uint64_t done = 0;
   for (size_t t = passage->first; t < passage->end; t++) {
      const uint64_t* transfer = cg2p_sums_at(&counts->transfers, t);
      uint64_t count = transfer[TRANSFER_COUNT];
      uint64_t before = share(spot[SPOT_MISPREDICTED], done, passage->left);
      done += count;
      put_transfer(w, transfer[TRANSFER_FROM], transfer[TRANSFER_TO], count,
                   share(spot[SPOT_MISPREDICTED], done, passage->left) -
                      before);
   }
}

/* Puts what an instruction calls through a stub: the stub, once; the function
 * behind it is called by the stub, which is no code that is looked at. */
static void put_through_stub(FeedbackWriter* w, size_t i)
{
   const Counts* counts = &w->feedback->counts;
   const Control* control = &w->feedback->control;
   const StepCounts* passage = &control->passages[i];
   put_transfer(w, counts->addresses[i], control->steps[i].target,
                passage->count -
                   passage->passed * (control->steps[i].kind == CG2P_BRANCHES),
                0);
   for (size_t t = passage->first; t < passage->end; t++) {
      const uint64_t* transfer = cg2p_sums_at(&counts->transfers, t);
      put_transfer(w, OUTSIDE, transfer[TRANSFER_TO], transfer[TRANSFER_COUNT],
                   0);
   }
}

/* Puts what was called where control did not leave: handlers of signals. */
static void put_entries(FeedbackWriter* w, size_t i)
{
   const Sums* transfers = &w->feedback->counts.transfers;
   const StepCounts* passage = &w->feedback->control.passages[i];
   for (size_t t = passage->first; t < passage->end; t++) {
      const uint64_t* transfer = cg2p_sums_at(transfers, t);
      put_transfer(w, OUTSIDE, transfer[TRANSFER_TO], transfer[TRANSFER_COUNT],
                   0);
   }
}

static void put_spot(FeedbackWriter* w, size_t i)
{
   const Control* control = &w->feedback->control;
   const StepCounts* passage = &control->passages[i];
   uint64_t address = w->feedback->counts.addresses[i];
   bool is_return = control->steps[i].kind == CG2P_RETURNS;
   put_transfer(w, OUTSIDE, address, passage->outside, 0);
   if (passage->has_stub)
      put_through_stub(w, i);
   else if (cg2p_control_transfers(control, i) || is_return)
      put_own(w, i);
   else
      put_entries(w, i);
   if (passage->onward)
      put_transfer(w, address, w->feedback->counts.addresses[i + 1],
                   passage->onward, 0);
   if (is_return && passage->count > passage->left)
      put_transfer(w, address, OUTSIDE, passage->count - passage->left, 0);
}

static void put_from_outside(FeedbackWriter* w)
{
   const Sums* transfers = &w->feedback->counts.transfers;
   for (size_t t = transfers->n; t-- > 0;) {
      const uint64_t* transfer = cg2p_sums_at(transfers, t);
      if (transfer[TRANSFER_FROM] != OUTSIDE) return;
      put_transfer(w, OUTSIDE, transfer[TRANSFER_TO], transfer[TRANSFER_COUNT],
                   0);
   }
}

/*--- Control that goes on -----------------------------------------------*/

/* Puts the way from one instruction to the next one, and on as far as it was
 * gone equally often. Where it ends. */
static size_t put_way(FeedbackWriter* w, size_t i)
{
   const Control* control = &w->feedback->control;
   const uint64_t* addresses = w->feedback->counts.addresses;
   uint64_t passed = control->passages[i].passed;
   size_t end = i;
   while (end < control->n && control->passages[end].passed == passed)
      end++;
   if (!passed) return end;
   cg2p_output_letter(&w->output, 'F');
   put_place(w, addresses[i]);
   put_place(w, addresses[end]);
   put_number(w, passed);
   cg2p_output_letter(&w->output, '\n');
   return end;
}

void cg2p_bolt_put(FeedbackWriter* w)
{
   size_t n = w->feedback->control.n;
   for (size_t i = 0; i < n; i++)
      put_spot(w, i);
   put_from_outside(w);
   for (size_t i = 0; i < n;)
      i = put_way(w, i);
}
