/* simd.h for arm64: four words in a register of NEON. */
#ifndef CG2_SIMD_ARM64_H
#define CG2_SIMD_ARM64_H

#include "base/vg.h"
#include <arm_neon.h>

/* A mask of four words that are all ones or all zeros: a bit for each. */
static inline UInt cg2_simd_mask(uint32x4_t words)
{
   static const UInt bits[4] = {1, 2, 4, 8};
   return vaddvq_u32(vandq_u32(words, vld1q_u32(bits)));
}

/* cg2_simd_equal of a word that is in all four parts of `wanted`. */
static inline UInt cg2_simd_equal_to(const UInt* row, UInt n, uint32x4_t wanted)
{
   static const UShort bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
   uint32x4_t first = vceqq_u32(vld1q_u32(row), wanted);
   if (n == 4) return cg2_simd_mask(first);
   uint16x8_t powers = vld1q_u16(bits);
   uint16x8_t low =
      vuzp1q_u16(vreinterpretq_u16_u32(first),
                 vreinterpretq_u16_u32(vceqq_u32(vld1q_u32(row + 4), wanted)));
   UInt mask = vaddvq_u16(vandq_u16(low, powers));
   if (n == 8) return mask;
   uint16x8_t high =
      vuzp1q_u16(vreinterpretq_u16_u32(vceqq_u32(vld1q_u32(row + 8), wanted)),
                 vreinterpretq_u16_u32(vceqq_u32(vld1q_u32(row + 12), wanted)));
   return mask | (UInt)vaddvq_u16(vandq_u16(high, powers)) << 8;
}

static inline UInt cg2_simd_equal(const UInt* row, UInt n, UInt wanted)
{
   return cg2_simd_equal_to(row, n, vdupq_n_u32(wanted));
}

static inline UInt cg2_simd_lowest(const UInt* row, UInt n)
{
   uint32x4_t low = vld1q_u32(row);
   if (n >= 8) low = vminq_u32(low, vld1q_u32(row + 4));
   if (n == 16)
      low = vminq_u32(low, vminq_u32(vld1q_u32(row + 8), vld1q_u32(row + 12)));
   return __builtin_ctz(
      cg2_simd_equal_to(row, n, vdupq_n_u32(vminvq_u32(low))));
}

static inline UInt cg2_simd_highest(const UInt* row, UInt n)
{
   UInt i = 0, highest = 0;
   if (n >= 4) {
      uint32x4_t high = vld1q_u32(row);
      for (i = 4; i + 4 <= n; i += 4)
         high = vmaxq_u32(high, vld1q_u32(row + i));
      highest = vmaxvq_u32(high);
   }
   for (; i < n; i++)
      if (row[i] > highest) highest = row[i];
   return highest;
}

#endif
