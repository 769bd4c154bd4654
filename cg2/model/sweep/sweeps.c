#include "model/sweep/sweeps.h"

const HChar* const cg2_sweep_names[SWEEP_CACHES] = {"I", "D", "LL"};

static UInt count_sizes(const Sweeps* sweeps, SweepCache cache)
{
   return cg2_sweep_count(sweeps->of[cache]);
}

/* Whether there is a column of the same name already. */
static Bool is_known(const Sweeps* sweeps, const Sweep* sweep, HChar* name)
{
   HChar other[SWEEP_TEXT];
   const Sweep* s = sweeps->of[sweep->cache];
   for (; s; s = s->next)
      for (UInt i = 0; i < sweep->n * s->n; i++) {
         cg2_sweep_describe(sweep, i / s->n, name);
         cg2_sweep_describe(s, i % s->n, other);
         if (VG_(strcmp)(name, other) == 0) return True;
      }
   return False;
}

Bool cg2_sweeps_add(Sweeps* sweeps, Sweep* sweep, HChar* error)
{
   HChar name[SWEEP_TEXT];
   Sweep** end = &sweeps->of[sweep->cache];
   if (is_known(sweeps, sweep, name)) {
      VG_(sprintf)(error, "%s of %s is in another sweep already",
                   cg2_sweep_names[sweep->cache], name);
      return False;
   }
   while (*end)
      end = &(*end)->next;
   *end = sweep;
   UInt i = count_sizes(sweeps, SWEEP_I), d = count_sizes(sweeps, SWEEP_D);
   UInt ll = count_sizes(sweeps, SWEEP_LL), n = ll + (i > d ? i : d);
   if (n > SWEEPS_SIZES_MAX) {
      VG_(sprintf)(error,
                   "all sweeps together look an access up in %u sizes, not "
                   "more than %d",
                   n, SWEEPS_SIZES_MAX);
      return False;
   }
   n = i + 2 * d + 3 * ll;
   if (n > SWEEPS_COLUMNS_MAX) {
      VG_(sprintf)(error,
                   "all sweeps together have %u columns, not more than %d: I "
                   "has 1 for a size, D 2, LL 3",
                   n, SWEEPS_COLUMNS_MAX);
      return False;
   }
   return True;
}

/* Each gets its bits; those of the last level come first. */
void cg2_sweeps_init(Sweeps* sweeps, UInt first_bit)
{
   static const SweepCache order[] = {SWEEP_LL, SWEEP_I, SWEEP_D};
   for (UInt c = 0; c < SWEEP_CACHES; c++) {
      UInt bit = first_bit;
      if (order[c] != SWEEP_LL) bit += count_sizes(sweeps, SWEEP_LL);
      for (Sweep* s = sweeps->of[order[c]]; s; s = s->next) {
         cg2_sweep_init(s);
         s->first_bit = bit;
         bit += s->n;
      }
   }
}
