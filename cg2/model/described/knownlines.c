#include "model/described/knownlines.h"

/* Reason for a mutable file-scope object: generated code has its address. */
UInt cg2_knownlines_nowhere;

void cg2_knownlines_empty(KnownLine* at)
{
   *at = (KnownLine){CACHE_NONE, .word = &cg2_knownlines_nowhere,
                     .page = &cg2_knownlines_nowhere};
}

void cg2_knownlines_clear(const KnownLines* known)
{
   for (UWord i = 0; known->of && i < known->n; i++)
      cg2_knownlines_empty(&known->of[i]);
}

void cg2_knownlines_forget_page(const KnownLines* known,
                                Addr page,
                                UWord size,
                                ULong groups)
{
   UWord first = page >> known->line_bits, n = size >> known->line_bits;
   if (n >= known->n) {
      cg2_knownlines_clear(known);
      return;
   }
   for (; groups; groups &= groups - 1) {
      UWord i = (__builtin_ctzll(groups) - first) & (KNOWNLINES_GROUPS - 1);
      for (; i < n; i += KNOWNLINES_GROUPS)
         cg2_knownlines_forget(known, first + i);
   }
}
