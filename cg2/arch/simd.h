/* Words that are compared several at a time, as this processor can.
 *
 * An array is 4, 8 or 16 words of 32 bits at a multiple of 16 bytes: a row.
 *
 *    cg2_simd_equal(row, n, wanted)    which of the words are `wanted`: bit i
 *                                      of the result is whether row[i] is
 *    cg2_simd_lowest(row, n)           the index of the first smallest word
 *    cg2_simd_highest(row, n)          the largest of the first n words; n may
 *                                      be any number
 *
 * The last two take words from 0 to SIMD_WORD_MAX. The functions are inline:
 * one header for each kind of processor, and one in plain C for all others. */
#ifndef CG2_SIMD_H
#define CG2_SIMD_H

#include "base/vg.h"

/* The largest finite float: SSE2 compares words as floats, and floats that are
 * not negative have the order of the integers that they are made of. */
enum { SIMD_WORD_MAX = 0x7f7fffff };

#if defined(__SSE2__)
#include "arch/simd_x86.h"
#elif defined(__ARM_NEON)
#include "arch/simd_arm64.h"
#else
#include "arch/simd_plain.h"
#endif

#endif
