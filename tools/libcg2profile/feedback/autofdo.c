/* AutoFDO's profile as text, for create_gcov and create_llvm_prof with
 * --profiler=text: how many ranges, then each; how many addresses (none: they
 * do not matter where there are ranges); how many branches, then each. Numbers
 * of addresses are hexadecimal, from the object's first segment on.
 *
 *    from-to:count     instructions from the first to the last one
 *    from->to:count */
#include "feedback/autofdo.h"

/* Puts, unless `is_dry`, instructions one behind the other that ran equally
 * often, from spot `i` on, and where they end. */
static size_t put_range(FeedbackWriter* w, size_t i, bool is_dry)
{
   const cg2p_feedback* feedback = w->feedback;
   const Control* control = &feedback->control;
   const uint64_t* addresses = feedback->counts.addresses;
   uint64_t count = control->passages[i].count;
   size_t last = i;
   while (cg2p_control_has_next(control, last) &&
          control->passages[last].passed == count &&
          control->passages[last + 1].count == count)
      last++;
   if (is_dry) return last + 1;
   cg2p_feedbackwriter_put_address(w, addresses[i] - feedback->base);
   cg2p_output_letter(&w->output, '-');
   cg2p_feedbackwriter_put_address(w, addresses[last] - feedback->base);
   cg2p_output_letter(&w->output, ':');
   cg2p_output_decimal(&w->output, count);
   cg2p_output_letter(&w->output, '\n');
   return last + 1;
}

static size_t put_ranges(FeedbackWriter* w, bool is_dry)
{
   size_t n = 0;
   for (size_t i = 0; i < w->feedback->control.n; n++)
      i = put_range(w, i, is_dry);
   return n;
}

/* Puts, unless `is_dry`, a transfer; 1: it is one inside the object. */
static size_t put_branch(FeedbackWriter* w, const uint64_t* transfer, bool dry)
{
   uint64_t base = w->feedback->base;
   if (transfer[TRANSFER_TO] == OUTSIDE) return 0;
   if (dry) return 1;
   cg2p_feedbackwriter_put_address(w, transfer[TRANSFER_FROM] - base);
   cg2p_output_string(&w->output, "->");
   cg2p_feedbackwriter_put_address(w, transfer[TRANSFER_TO] - base);
   cg2p_output_letter(&w->output, ':');
   cg2p_output_decimal(&w->output, transfer[TRANSFER_COUNT]);
   cg2p_output_letter(&w->output, '\n');
   return 1;
}

/* The same of spot `i`'s jump to the next instruction. */
static size_t put_onward(FeedbackWriter* w, size_t i, bool is_dry)
{
   const uint64_t* addresses = w->feedback->counts.addresses;
   uint64_t count = w->feedback->control.passages[i].onward;
   if (!count) return 0;
   uint64_t transfer[TRANSFER_WIDTH] = {addresses[i], addresses[i + 1],
                                        TRANSFER_JUMP, count};
   return put_branch(w, transfer, is_dry);
}

static size_t put_branches(FeedbackWriter* w, bool is_dry)
{
   const Control* control = &w->feedback->control;
   size_t n = 0;
   for (size_t i = 0; i < control->n; i++) {
      const StepCounts* passage = &control->passages[i];
      if (!cg2p_control_transfers(control, i)) continue;
      for (size_t t = passage->first; t < passage->end; t++)
         n +=
            put_branch(w, cg2p_sums_at(&control->counts->transfers, t), is_dry);
      n += put_onward(w, i, is_dry);
   }
   return n;
}

static void put_number_of(FeedbackWriter* w, size_t n)
{
   cg2p_output_decimal(&w->output, n);
   cg2p_output_letter(&w->output, '\n');
}

void cg2p_autofdo_put(FeedbackWriter* w)
{
   put_number_of(w, put_ranges(w, true));
   put_ranges(w, false);
   put_number_of(w, 0);
   put_number_of(w, put_branches(w, true));
   put_branches(w, false);
}
