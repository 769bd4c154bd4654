#include "model/described/knownlines.h"

/* What touches change that are to change nothing: nobody reads it. Reason for a
 * mutable file-scope object: generated code has its address. */
static UInt nowhere;

void cg2_knownlines_empty(KnownLine* at)
{
   *at = (KnownLine){CACHE_NONE, .word = &nowhere, .page = &nowhere};
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

KnownLine* cg2_knownlines_add(const KnownLines* known,
                              const Level* level,
                              UWord line,
                              UWord slot,
                              UInt* page)
{
   TouchBits bits = {&nowhere, 0, 0};
   if (known->touching == TOUCH_STAMP)
      bits.word = &level->stamps[slot];
   else if (known->touching == TOUCH_BITS)
      bits = cg2_level_touch_bits(level, slot);
   KnownLine* at = cg2_knownlines_at(known, line);
   *at = (KnownLine){line << known->line_bits, bits.word, bits.kept, bits.set,
                     page ? page : &nowhere};
   return at;
}
