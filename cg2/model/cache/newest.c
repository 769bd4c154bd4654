#include "model/cache/newest.h"

void cg2_newest_init(Newest* newest, UInt line_bits)
{
   newest->line_bits = line_bits;
   newest->set_mask = NEWEST_SETS - 1;
   cg2_newest_clear(newest);
}

/* A cache with other lines, or with sets that are no power of two, agrees with
 * the others about the newest line of all only. */
void cg2_newest_narrow(Newest* newest, UInt line_bits, ULong n_sets)
{
   if (line_bits != newest->line_bits || (n_sets & (n_sets - 1))) n_sets = 1;
   if (line_bits < newest->line_bits) newest->line_bits = line_bits;
   if (n_sets - 1 < newest->set_mask) newest->set_mask = n_sets - 1;
}

void cg2_newest_clear(Newest* newest)
{
   for (UInt i = 0; i < NEWEST_SETS; i++) {
      newest->lines[i] = CACHE_NONE;
      newest->marks[i] = (Mark){CACHE_NONE, &newest->nowhere};
   }
}
