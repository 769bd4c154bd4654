/* simd.h for amd64, and for x86 with SSE2: four words in a register. SSE4.1's
 * minimum of integers has a quarter of the latency of SSE2's minimum of floats.
 */
#ifndef CG2_SIMD_X86_H
#define CG2_SIMD_X86_H

#include "arch/cpuid.h"
#include <emmintrin.h>

/* cg2_simd_equal of a word that is in all four parts of `wanted`. */
static inline UInt cg2_simd_equal_to(const UInt* row, UInt n, __m128i wanted)
{
   const __m128i* four = (const __m128i*)row;
   __m128i equal = _mm_cmpeq_epi32(four[0], wanted);
   if (n == 4) return _mm_movemask_ps(_mm_castsi128_ps(equal));
   __m128i low = _mm_packs_epi32(equal, _mm_cmpeq_epi32(four[1], wanted));
   __m128i high = _mm_setzero_si128();
   if (n == 16)
      high = _mm_packs_epi32(_mm_cmpeq_epi32(four[2], wanted),
                             _mm_cmpeq_epi32(four[3], wanted));
   return _mm_movemask_epi8(_mm_packs_epi16(low, high));
}

static inline UInt cg2_simd_equal(const UInt* row, UInt n, UInt wanted)
{
   return cg2_simd_equal_to(row, n, _mm_set1_epi32(wanted));
}

/* The smaller of two words, in each of the four parts. */
static inline __attribute__((always_inline)) __m128i
cg2_simd_lower(__m128i a, __m128i b, const Bool has_min)
{
   if (!has_min)
      return _mm_castps_si128(
         _mm_min_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b)));
   __asm__("pminsd %1, %0" : "+x"(a) : "x"(b)); /* SSE4.1 */
   return a;
}

/* The smallest word of a row, in all four parts. */
static inline __attribute__((always_inline)) __m128i
cg2_simd_lowest_word(const UInt* row, UInt n, const Bool has_min)
{
   enum { HALVES = 0x4e, NEIGHBOURS = 0xb1 }; /* which parts are swapped */
   const __m128i* four = (const __m128i*)row;
   __m128i low = four[0];
   if (n >= 8) low = cg2_simd_lower(low, four[1], has_min);
   if (n == 16)
      low = cg2_simd_lower(low, cg2_simd_lower(four[2], four[3], has_min),
                           has_min);
   low = cg2_simd_lower(low, _mm_shuffle_epi32(low, HALVES), has_min);
   return cg2_simd_lower(low, _mm_shuffle_epi32(low, NEIGHBOURS), has_min);
}

static inline UInt cg2_simd_lowest(const UInt* row, UInt n)
{
   __m128i lowest = __builtin_expect(cg2_cpuid_has_sse41, 1)
                       ? cg2_simd_lowest_word(row, n, True)
                       : cg2_simd_lowest_word(row, n, False);
   return __builtin_ctz(cg2_simd_equal_to(row, n, lowest));
}

static inline UInt cg2_simd_highest(const UInt* row, UInt n)
{
   UInt i = 0;
   __m128 high = _mm_setzero_ps();
   for (; i + 4 <= n; i += 4)
      high = _mm_max_ps(high, _mm_load_ps((const float*)(row + i)));
   high = _mm_max_ps(high, _mm_movehl_ps(high, high));
   high = _mm_max_ss(high, _mm_shuffle_ps(high, high, 1));
   UInt highest = _mm_cvtsi128_si32(_mm_castps_si128(high));
   for (; i < n; i++)
      if (row[i] > highest) highest = row[i];
   return highest;
}

#endif
