#include "repeat/chance.h"

/* Reason for a mutable file-scope object: the stream of the process. */
static ULong state;

/* Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators,
 * 2014: SplitMix64. */
static const ULong STEP = 0x9e3779b97f4a7c15ULL;

ULong cg2_chance_mix(ULong word)
{
   word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
   word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
   return word ^ (word >> 31);
}

void cg2_chance_begin(ULong seed)
{
   state = cg2_chance_mix(seed * STEP);
}

ULong cg2_chance_next(void)
{
   return cg2_chance_mix(state += STEP);
}

void cg2_chance_fill(void* to, SizeT n)
{
   UChar* bytes = to;
   for (SizeT i = 0; i < n; i++)
      bytes[i] = cg2_chance_next() >> 56;
}
