/* Stamps: when the lines of a set were touched last, for each of its ways.
 *
 * A set has 4, 8 or 16 of them, at a multiple of 16 bytes. Each is a time below
 * STAMP_NONE, 0 if the way is empty; those that it has no ways for are
 * STAMP_NONE. All are compared at once; where there is a minimum of floats
 * only, as in SSE2, as such: those that are not negative have the order of the
 * integers that they are made of. The largest finite one is the largest stamp.
 */
#ifndef CG2_STAMPS_H
#define CG2_STAMPS_H

#include "model/cache/tags.h"

enum { STAMP_NONE = 0x7f7fffff };

/* Whether this processor has a minimum of integers, which has a quarter of the
 * latency. Set once, before stamps are compared. */
extern Bool cg2_stamps_has_min;

/* The way that was touched first. */
#if defined(__SSE2__)
static inline __attribute__((always_inline)) __m128i
cg2_stamps_lower(__m128i a, __m128i b, const Bool has_min)
{
   if (!has_min)
      return _mm_castps_si128(
         _mm_min_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b)));
   __asm__("pminsd %1, %0" : "+x"(a) : "x"(b)); /* of SSE4.1 */
   return a;
}

static inline __attribute__((always_inline)) __m128i
cg2_stamps_lowest(const UInt* stamps, UInt n, const Bool has_min)
{
   enum { HALVES = 0x4e, NEIGHBOURS = 0xb1 }; /* are swapped */
   const __m128i* four = (const __m128i*)stamps;
   __m128i low = four[0];
   if (n >= 8) low = cg2_stamps_lower(low, four[1], has_min);
   if (n == 16)
      low = cg2_stamps_lower(low, cg2_stamps_lower(four[2], four[3], has_min),
                             has_min);
   low = cg2_stamps_lower(low, _mm_shuffle_epi32(low, HALVES), has_min);
   return cg2_stamps_lower(low, _mm_shuffle_epi32(low, NEIGHBOURS), has_min);
}

static inline UInt cg2_stamps_oldest(const UInt* stamps, UInt n)
{
   __m128i lowest = __builtin_expect(cg2_stamps_has_min, 1)
                       ? cg2_stamps_lowest(stamps, n, True)
                       : cg2_stamps_lowest(stamps, n, False);
   return __builtin_ctz(cg2_tags_equal_to(stamps, n, lowest));
}
#else
static inline UInt cg2_stamps_oldest(const UInt* stamps, UInt n)
{
   UInt oldest = 0;
   for (UInt way = 1; way < n; way++)
      if (stamps[way] < stamps[oldest]) oldest = way;
   return oldest;
}
#endif

/* When the last was. */
static inline UInt cg2_stamps_newest(const UInt* stamps, UInt ways)
{
   UInt newest = 0, way = 0;
#if defined(__SSE2__)
   __m128 high = _mm_setzero_ps();
   for (; way + 4 <= ways; way += 4)
      high = _mm_max_ps(high, _mm_load_ps((const float*)(stamps + way)));
   high = _mm_max_ps(high, _mm_movehl_ps(high, high));
   high = _mm_max_ss(high, _mm_shuffle_ps(high, high, 1));
   newest = _mm_cvtsi128_si32(_mm_castps_si128(high));
#endif
   for (; way < ways; way++)
      if (stamps[way] > newest) newest = stamps[way];
   return newest;
}

/* Gives those that are touched the times 1 to n, in the same order. */
static inline void cg2_stamps_renumber(UInt* stamps, UInt n)
{
   UInt ranks[NO_WAY];
   for (UInt way = 0; way < n; way++) {
      ranks[way] = stamps[way] > 0;
      for (UInt other = 0; other < n; other++)
         ranks[way] += stamps[other] > 0 && stamps[other] < stamps[way];
   }
   for (UInt way = 0; way < n; way++)
      if (stamps[way] != STAMP_NONE) stamps[way] = ranks[way];
}

#endif
