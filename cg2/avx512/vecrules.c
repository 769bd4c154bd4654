#include "avx512/vecrules.h"

#include "arch/cpuid.h"

/* Which prefixes a row is for. */
enum { NP = 1, P66 = 2, PF3 = 4, PF2 = 8 };

/* Which values of W a row is for. */
enum { W0 = 1, W1 = 2, WX = 3 };

/* Elements whose size W says. */
enum { BY_W = 0x40, BYTE_OR_WORD = BY_W | 1, LONG_OR_QUAD = BY_W | 4 };

enum { EXACT = 0, ROUNDS = 1 };

/* Several opcodes that share a rule. */
typedef struct VecRow {
   UChar map, prefixes, first, last, ws;
   UChar form, span, element, rounds;
} VecRow;

/* Short names for the columns of the tables. */
#define BW  BYTE_OR_WORD
#define DQ  LONG_OR_QUAD
#define ALL SPAN_WHOLE
#define ONE SPAN_ELEMENT

/* Source: Intel's manual, volume 2: the pages of the instructions, with what
 * they say of operands and of the tuple type. What is one rule in spite of
 * different names is one row. The first row that fits counts. */
static const VecRow evex[] = {
   /* 0F: moves */
   {1, NP | P66, 0x10, 0x10, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {1, PF3 | PF2, 0x10, 0x10, WX, VEC_COMPUTES, ONE, DQ, EXACT},
   {1, NP | P66, 0x11, 0x11, WX, VEC_STORES, ALL, DQ, EXACT},
   {1, PF3 | PF2, 0x11, 0x11, WX, VEC_STORES, ONE, DQ, EXACT},
   {1, NP | P66, 0x12, 0x12, WX, VEC_COMPUTES, ONE, 8, EXACT},
   {1, PF2, 0x12, 0x12, W1, VEC_COMPUTES, SPAN_DOUBLED, 8, EXACT},
   {1, PF3, 0x12, 0x12, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {1, NP | P66, 0x13, 0x13, WX, VEC_STORES, ONE, 8, EXACT},
   {1, NP | P66, 0x14, 0x15, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {1, NP | P66, 0x16, 0x16, WX, VEC_COMPUTES, ONE, 8, EXACT},
   {1, PF3, 0x16, 0x16, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {1, NP | P66, 0x17, 0x17, WX, VEC_STORES, ONE, 8, EXACT},
   {1, NP | P66, 0x28, 0x28, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {1, NP | P66, 0x29, 0x29, WX, VEC_STORES, ALL, DQ, EXACT},
   {1, NP | P66, 0x2b, 0x2b, WX, VEC_STORES, ALL, DQ, EXACT},
   {1, P66, 0x6e, 0x6e, WX, VEC_FROM_WORD, ONE, DQ, EXACT},
   {1, P66, 0x7e, 0x7e, WX, VEC_TO_WORD, ONE, DQ, EXACT},
   {1, PF3, 0x7e, 0x7e, W1, VEC_COMPUTES, ONE, 8, EXACT},
   {1, P66 | PF3, 0x6f, 0x6f, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {1, PF2, 0x6f, 0x6f, WX, VEC_COMPUTES, ALL, BW, EXACT},
   {1, P66 | PF3, 0x7f, 0x7f, WX, VEC_STORES, ALL, DQ, EXACT},
   {1, PF2, 0x7f, 0x7f, WX, VEC_STORES, ALL, BW, EXACT},
   {1, P66, 0xd6, 0xd6, W1, VEC_STORES, ONE, 8, EXACT},
   {1, P66, 0xe7, 0xe7, W0, VEC_STORES, ALL, 4, EXACT},
   {1, P66, 0xc4, 0xc4, WX, VEC_FROM_WORD, ONE, 2, EXACT},
   {1, P66, 0xc5, 0xc5, WX, VEC_TO_WORD_REG, ONE, 2, EXACT},
   /* 0F: floating point */
   {1, PF3 | PF2, 0x2a, 0x2a, WX, VEC_FROM_WORD, ONE, DQ, ROUNDS},
   {1, PF3, 0x2c, 0x2d, WX, VEC_TO_WORD_REG, ONE, 4, ROUNDS},
   {1, PF2, 0x2c, 0x2d, WX, VEC_TO_WORD_REG, ONE, 8, ROUNDS},
   {1, NP, 0x2e, 0x2f, W0, VEC_COMPARES, ONE, 4, ROUNDS},
   {1, P66, 0x2e, 0x2f, W1, VEC_COMPARES, ONE, 8, ROUNDS},
   {1, NP | P66, 0x51, 0x51, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {1, PF3 | PF2, 0x51, 0x51, WX, VEC_COMPUTES, ONE, DQ, ROUNDS},
   {1, NP | P66, 0x54, 0x57, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {1, NP, 0x5a, 0x5a, W0, VEC_COMPUTES, SPAN_HALF, 4, ROUNDS},
   {1, P66, 0x5a, 0x5a, W1, VEC_COMPUTES, ALL, 8, ROUNDS},
   {1, NP | P66 | PF3, 0x5b, 0x5b, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {1, NP | P66, 0x58, 0x5f, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {1, PF3 | PF2, 0x58, 0x5f, WX, VEC_COMPUTES, ONE, DQ, ROUNDS},
   {1, NP | P66, 0xc2, 0xc2, WX, VEC_ASKS, ALL, DQ, ROUNDS},
   {1, PF3 | PF2, 0xc2, 0xc2, WX, VEC_ASKS, ONE, DQ, ROUNDS},
   {1, NP | P66, 0xc6, 0xc6, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {1, NP, 0x78, 0x79, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {1, P66, 0x78, 0x7b, W0, VEC_COMPUTES, SPAN_HALF, 4, ROUNDS},
   {1, P66, 0x78, 0x7b, W1, VEC_COMPUTES, ALL, 8, ROUNDS},
   {1, PF3, 0x78, 0x79, WX, VEC_TO_WORD_REG, ONE, 4, ROUNDS},
   {1, PF2, 0x78, 0x79, WX, VEC_TO_WORD_REG, ONE, 8, ROUNDS},
   {1, PF3, 0x7a, 0x7a, W0, VEC_COMPUTES, SPAN_HALF, 4, ROUNDS},
   {1, PF3, 0x7a, 0x7a, W1, VEC_COMPUTES, ALL, 8, ROUNDS},
   {1, PF2, 0x7a, 0x7a, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {1, PF3 | PF2, 0x7b, 0x7b, WX, VEC_FROM_WORD, ONE, DQ, ROUNDS},
   {1, PF3, 0xe6, 0xe6, W0, VEC_COMPUTES, SPAN_HALF, 4, ROUNDS},
   {1, PF3, 0xe6, 0xe6, W1, VEC_COMPUTES, ALL, 8, ROUNDS},
   {1, P66 | PF2, 0xe6, 0xe6, W1, VEC_COMPUTES, ALL, 8, ROUNDS},
   /* 0F: integers */
   {1, P66, 0x60, 0x60, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {1, P66, 0x61, 0x61, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {1, P66, 0x62, 0x62, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {1, P66, 0x63, 0x63, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {1, P66, 0x64, 0x64, WX, VEC_ASKS, ALL, 1, EXACT},
   {1, P66, 0x65, 0x65, WX, VEC_ASKS, ALL, 2, EXACT},
   {1, P66, 0x66, 0x66, W0, VEC_ASKS, ALL, 4, EXACT},
   {1, P66, 0x67, 0x68, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {1, P66, 0x69, 0x69, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {1, P66, 0x6a, 0x6b, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {1, P66, 0x6c, 0x6d, W1, VEC_COMPUTES, ALL, 8, EXACT},
   {1, P66, 0x70, 0x70, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {1, PF3 | PF2, 0x70, 0x70, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {1, P66, 0x71, 0x71, WX, VEC_SHIFTS, ALL, 2, EXACT},
   {1, P66, 0x72, 0x73, WX, VEC_SHIFTS, ALL, DQ, EXACT},
   {1, P66, 0x74, 0x74, WX, VEC_ASKS, ALL, 1, EXACT},
   {1, P66, 0x75, 0x75, WX, VEC_ASKS, ALL, 2, EXACT},
   {1, P66, 0x76, 0x76, W0, VEC_ASKS, ALL, 4, EXACT},
   {1, P66, 0xd1, 0xd3, WX, VEC_COMPUTES, ONE, 16, EXACT},
   {1, P66, 0xe1, 0xe2, WX, VEC_COMPUTES, ONE, 16, EXACT},
   {1, P66, 0xf1, 0xf3, WX, VEC_COMPUTES, ONE, 16, EXACT},
   {1, P66, 0xd4, 0xd4, W1, VEC_COMPUTES, ALL, 8, EXACT},
   {1, P66, 0xd5, 0xd5, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {1, P66, 0xd8, 0xd8, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {1, P66, 0xd9, 0xd9, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {1, P66, 0xda, 0xda, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {1, P66, 0xdb, 0xdb, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {1, P66, 0xdc, 0xdc, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {1, P66, 0xdd, 0xdd, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {1, P66, 0xde, 0xde, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {1, P66, 0xdf, 0xdf, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {1, P66, 0xe0, 0xe0, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {1, P66, 0xe3, 0xe5, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {1, P66, 0xe8, 0xe8, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {1, P66, 0xe9, 0xea, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {1, P66, 0xeb, 0xeb, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {1, P66, 0xec, 0xec, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {1, P66, 0xed, 0xee, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {1, P66, 0xef, 0xef, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {1, P66, 0xf4, 0xf4, W1, VEC_COMPUTES, ALL, 8, EXACT},
   {1, P66, 0xf5, 0xf5, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {1, P66, 0xf6, 0xf6, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {1, P66, 0xf8, 0xf8, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {1, P66, 0xf9, 0xf9, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {1, P66, 0xfa, 0xfa, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {1, P66, 0xfb, 0xfb, W1, VEC_COMPUTES, ALL, 8, EXACT},
   {1, P66, 0xfc, 0xfc, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {1, P66, 0xfd, 0xfd, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {1, P66, 0xfe, 0xfe, W0, VEC_COMPUTES, ALL, 4, EXACT},

   /* 0F 38: what F3 and F2 stand in front of */
   {2, PF3, 0x10, 0x10, W0, VEC_STORES, SPAN_HALF, 1, EXACT},
   {2, PF3, 0x20, 0x20, W0, VEC_STORES, SPAN_HALF, 1, EXACT},
   {2, PF3, 0x30, 0x30, W0, VEC_STORES, SPAN_HALF, 1, EXACT},
   {2, PF3, 0x11, 0x11, W0, VEC_STORES, SPAN_QUARTER, 1, EXACT},
   {2, PF3, 0x21, 0x21, W0, VEC_STORES, SPAN_QUARTER, 1, EXACT},
   {2, PF3, 0x31, 0x31, W0, VEC_STORES, SPAN_QUARTER, 1, EXACT},
   {2, PF3, 0x12, 0x12, W0, VEC_STORES, SPAN_EIGHTH, 1, EXACT},
   {2, PF3, 0x22, 0x22, W0, VEC_STORES, SPAN_EIGHTH, 1, EXACT},
   {2, PF3, 0x32, 0x32, W0, VEC_STORES, SPAN_EIGHTH, 1, EXACT},
   {2, PF3, 0x13, 0x13, W0, VEC_STORES, SPAN_HALF, 2, EXACT},
   {2, PF3, 0x23, 0x23, W0, VEC_STORES, SPAN_HALF, 2, EXACT},
   {2, PF3, 0x33, 0x33, W0, VEC_STORES, SPAN_HALF, 2, EXACT},
   {2, PF3, 0x14, 0x14, W0, VEC_STORES, SPAN_QUARTER, 2, EXACT},
   {2, PF3, 0x24, 0x24, W0, VEC_STORES, SPAN_QUARTER, 2, EXACT},
   {2, PF3, 0x34, 0x34, W0, VEC_STORES, SPAN_QUARTER, 2, EXACT},
   {2, PF3, 0x15, 0x15, W0, VEC_STORES, SPAN_HALF, 4, EXACT},
   {2, PF3, 0x25, 0x25, W0, VEC_STORES, SPAN_HALF, 4, EXACT},
   {2, PF3, 0x35, 0x35, W0, VEC_STORES, SPAN_HALF, 4, EXACT},
   {2, PF3, 0x26, 0x26, WX, VEC_ASKS, ALL, BW, EXACT},
   {2, PF3, 0x27, 0x27, WX, VEC_ASKS, ALL, DQ, EXACT},
   {2, PF3, 0x28, 0x28, WX, VEC_FROM_MASK, ALL, BW, EXACT},
   {2, PF3, 0x38, 0x38, WX, VEC_FROM_MASK, ALL, DQ, EXACT},
   {2, PF3, 0x29, 0x29, WX, VEC_ASKS, ALL, BW, EXACT},
   {2, PF3, 0x39, 0x39, WX, VEC_ASKS, ALL, DQ, EXACT},
   {2, PF3, 0x2a, 0x2a, W1, VEC_FROM_MASK, ALL, 8, EXACT},
   {2, PF3, 0x3a, 0x3a, W0, VEC_FROM_MASK, ALL, 4, EXACT},
   {2, PF3, 0x52, 0x52, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {2, PF3 | PF2, 0x72, 0x72, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {2, PF2, 0x68, 0x68, WX, VEC_ASKS_TWICE, ALL, DQ, EXACT},
   /* 0F 38 */
   {2, P66, 0x00, 0x00, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {2, P66, 0x04, 0x04, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {2, P66, 0x0b, 0x0b, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {2, P66, 0x0c, 0x0c, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {2, P66, 0x0d, 0x0d, W1, VEC_COMPUTES, ALL, 8, EXACT},
   {2, P66, 0x10, 0x12, W1, VEC_COMPUTES, ALL, 2, EXACT},
   {2, P66, 0x13, 0x13, W0, VEC_COMPUTES, SPAN_HALF, 2, ROUNDS},
   {2, P66, 0x14, 0x16, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0x18, 0x18, W0, VEC_COMPUTES, ONE, 4, EXACT},
   {2, P66, 0x19, 0x19, WX, VEC_COMPUTES, ONE, 8, EXACT},
   {2, P66, 0x1a, 0x1a, WX, VEC_COMPUTES, ONE, 16, EXACT},
   {2, P66, 0x1b, 0x1b, WX, VEC_COMPUTES, ONE, 32, EXACT},
   {2, P66, 0x1c, 0x1c, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {2, P66, 0x1d, 0x1d, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {2, P66, 0x1e, 0x1e, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {2, P66, 0x1f, 0x1f, W1, VEC_COMPUTES, ALL, 8, EXACT},
   {2, P66, 0x20, 0x20, WX, VEC_COMPUTES, SPAN_HALF, 1, EXACT},
   {2, P66, 0x30, 0x30, WX, VEC_COMPUTES, SPAN_HALF, 1, EXACT},
   {2, P66, 0x21, 0x21, WX, VEC_COMPUTES, SPAN_QUARTER, 1, EXACT},
   {2, P66, 0x31, 0x31, WX, VEC_COMPUTES, SPAN_QUARTER, 1, EXACT},
   {2, P66, 0x22, 0x22, WX, VEC_COMPUTES, SPAN_EIGHTH, 1, EXACT},
   {2, P66, 0x32, 0x32, WX, VEC_COMPUTES, SPAN_EIGHTH, 1, EXACT},
   {2, P66, 0x23, 0x23, WX, VEC_COMPUTES, SPAN_HALF, 2, EXACT},
   {2, P66, 0x33, 0x33, WX, VEC_COMPUTES, SPAN_HALF, 2, EXACT},
   {2, P66, 0x24, 0x24, WX, VEC_COMPUTES, SPAN_QUARTER, 2, EXACT},
   {2, P66, 0x34, 0x34, WX, VEC_COMPUTES, SPAN_QUARTER, 2, EXACT},
   {2, P66, 0x25, 0x25, W0, VEC_COMPUTES, SPAN_HALF, 4, EXACT},
   {2, P66, 0x35, 0x35, W0, VEC_COMPUTES, SPAN_HALF, 4, EXACT},
   {2, P66, 0x26, 0x26, WX, VEC_ASKS, ALL, BW, EXACT},
   {2, P66, 0x27, 0x27, WX, VEC_ASKS, ALL, DQ, EXACT},
   {2, P66, 0x28, 0x28, W1, VEC_COMPUTES, ALL, 8, EXACT},
   {2, P66, 0x29, 0x29, W1, VEC_ASKS, ALL, 8, EXACT},
   {2, P66, 0x2a, 0x2a, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {2, P66, 0x2b, 0x2b, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {2, P66, 0x2c, 0x2c, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0x2d, 0x2d, WX, VEC_COMPUTES, ONE, DQ, ROUNDS},
   {2, P66, 0x36, 0x36, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0x37, 0x37, W1, VEC_ASKS, ALL, 8, EXACT},
   {2, P66, 0x38, 0x38, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {2, P66, 0x39, 0x39, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0x3a, 0x3a, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {2, P66, 0x3b, 0x3b, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0x3c, 0x3c, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {2, P66, 0x3d, 0x3d, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0x3e, 0x3e, WX, VEC_COMPUTES, ALL, 2, EXACT},
   {2, P66, 0x3f, 0x40, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0x42, 0x42, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0x43, 0x43, WX, VEC_COMPUTES, ONE, DQ, ROUNDS},
   {2, P66, 0x44, 0x47, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0x4c, 0x4c, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0x4d, 0x4d, WX, VEC_COMPUTES, ONE, DQ, ROUNDS},
   {2, P66, 0x4e, 0x4e, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0x4f, 0x4f, WX, VEC_COMPUTES, ONE, DQ, ROUNDS},
   {2, P66, 0x50, 0x53, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {2, NP | PF3 | PF2, 0x50, 0x51, W0, VEC_COMPUTES, ALL, 4, EXACT},
   {2, P66, 0x54, 0x54, WX, VEC_COMPUTES, ALL, BW, EXACT},
   {2, P66, 0x55, 0x55, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0x58, 0x58, W0, VEC_COMPUTES, ONE, 4, EXACT},
   {2, P66, 0x59, 0x59, WX, VEC_COMPUTES, ONE, 8, EXACT},
   {2, P66, 0x5a, 0x5a, WX, VEC_COMPUTES, ONE, 16, EXACT},
   {2, P66, 0x5b, 0x5b, WX, VEC_COMPUTES, ONE, 32, EXACT},
   {2, P66, 0x62, 0x62, WX, VEC_COMPUTES, SPAN_PACKED, BW, EXACT},
   {2, P66, 0x63, 0x63, WX, VEC_STORES, SPAN_PACKED, BW, EXACT},
   {2, P66, 0x64, 0x65, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0x66, 0x66, WX, VEC_COMPUTES, ALL, BW, EXACT},
   {2, P66, 0x70, 0x70, W1, VEC_COMPUTES, ALL, 2, EXACT},
   {2, P66, 0x71, 0x71, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0x72, 0x72, W1, VEC_COMPUTES, ALL, 2, EXACT},
   {2, P66, 0x73, 0x73, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0x75, 0x75, WX, VEC_COMPUTES, ALL, BW, EXACT},
   {2, P66, 0x76, 0x77, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0x78, 0x78, W0, VEC_COMPUTES, ONE, 1, EXACT},
   {2, P66, 0x79, 0x79, W0, VEC_COMPUTES, ONE, 2, EXACT},
   {2, P66, 0x7a, 0x7b, W0, VEC_FROM_WORD, ONE, 4, EXACT},
   {2, P66, 0x7c, 0x7c, WX, VEC_FROM_WORD, ONE, DQ, EXACT},
   {2, P66, 0x7d, 0x7d, WX, VEC_COMPUTES, ALL, BW, EXACT},
   {2, P66, 0x7e, 0x7f, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0x83, 0x83, W1, VEC_COMPUTES, ALL, 8, EXACT},
   {2, P66, 0x88, 0x89, WX, VEC_COMPUTES, SPAN_PACKED, DQ, EXACT},
   {2, P66, 0x8a, 0x8b, WX, VEC_STORES, SPAN_PACKED, DQ, EXACT},
   {2, P66, 0x8d, 0x8d, WX, VEC_COMPUTES, ALL, BW, EXACT},
   {2, P66, 0x8f, 0x8f, W0, VEC_ASKS, ALL, 1, EXACT},
   {2, P66, 0x90, 0x93, WX, VEC_GATHERS, ONE, DQ, EXACT},
   {2, P66, 0xa0, 0xa3, WX, VEC_SCATTERS, ONE, DQ, EXACT},
   {2, P66, 0x96, 0x98, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0x9a, 0x9a, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0x9c, 0x9c, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0x9e, 0x9e, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0x99, 0x9f, WX, VEC_COMPUTES, ONE, DQ, ROUNDS},
   {2, P66, 0xa6, 0xa8, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0xaa, 0xaa, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0xac, 0xac, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0xae, 0xae, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0xa9, 0xaf, WX, VEC_COMPUTES, ONE, DQ, ROUNDS},
   {2, P66, 0xb4, 0xb5, W1, VEC_COMPUTES, ALL, 8, EXACT},
   {2, P66, 0xb6, 0xb8, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0xba, 0xba, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0xbc, 0xbc, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0xbe, 0xbe, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {2, P66, 0xb9, 0xbf, WX, VEC_COMPUTES, ONE, DQ, ROUNDS},
   {2, P66, 0xc4, 0xc4, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {2, P66, 0xcf, 0xcf, W0, VEC_COMPUTES, ALL, 1, EXACT},
   {2, P66, 0xdc, 0xdf, WX, VEC_COMPUTES, ALL, 1, EXACT},

   /* 0F 3A */
   {3, P66, 0x00, 0x01, W1, VEC_COMPUTES, ALL, 8, EXACT},
   {3, P66, 0x03, 0x05, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {3, P66, 0x08, 0x08, W0, VEC_COMPUTES, ALL, 4, ROUNDS},
   {3, P66, 0x09, 0x09, W1, VEC_COMPUTES, ALL, 8, ROUNDS},
   {3, P66, 0x0a, 0x0a, W0, VEC_COMPUTES, ONE, 4, ROUNDS},
   {3, P66, 0x0b, 0x0b, W1, VEC_COMPUTES, ONE, 8, ROUNDS},
   {3, NP, 0x08, 0x08, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {3, NP, 0x0a, 0x0a, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
   {3, P66, 0x0f, 0x0f, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {3, P66, 0x14, 0x14, WX, VEC_TO_WORD, ONE, 1, EXACT},
   {3, P66, 0x15, 0x15, WX, VEC_TO_WORD, ONE, 2, EXACT},
   {3, P66, 0x16, 0x16, WX, VEC_TO_WORD, ONE, DQ, EXACT},
   {3, P66, 0x17, 0x17, WX, VEC_TO_WORD, ONE, 4, EXACT},
   {3, P66, 0x18, 0x18, WX, VEC_COMPUTES, ONE, 16, EXACT},
   {3, P66, 0x19, 0x19, WX, VEC_STORES, ONE, 16, EXACT},
   {3, P66, 0x1a, 0x1a, WX, VEC_COMPUTES, ONE, 32, EXACT},
   {3, P66, 0x1b, 0x1b, WX, VEC_STORES, ONE, 32, EXACT},
   {3, P66, 0x1d, 0x1d, W0, VEC_STORES, SPAN_HALF, 2, ROUNDS},
   {3, P66, 0x1e, 0x1f, WX, VEC_ASKS, ALL, DQ, EXACT},
   {3, P66, 0x20, 0x20, WX, VEC_FROM_WORD, ONE, 1, EXACT},
   {3, P66, 0x21, 0x21, W0, VEC_COMPUTES, ONE, 4, EXACT},
   {3, P66, 0x22, 0x22, WX, VEC_FROM_WORD, ONE, DQ, EXACT},
   {3, P66, 0x23, 0x23, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {3, P66, 0x25, 0x25, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {3, P66, 0x26, 0x26, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {3, P66, 0x27, 0x27, WX, VEC_COMPUTES, ONE, DQ, ROUNDS},
   {3, NP, 0x26, 0x26, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {3, NP, 0x27, 0x27, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
   {3, P66, 0x38, 0x38, WX, VEC_COMPUTES, ONE, 16, EXACT},
   {3, P66, 0x39, 0x39, WX, VEC_STORES, ONE, 16, EXACT},
   {3, P66, 0x3a, 0x3a, WX, VEC_COMPUTES, ONE, 32, EXACT},
   {3, P66, 0x3b, 0x3b, WX, VEC_STORES, ONE, 32, EXACT},
   {3, P66, 0x3e, 0x3f, WX, VEC_ASKS, ALL, BW, EXACT},
   {3, P66, 0x42, 0x42, W0, VEC_COMPUTES, ALL, 1, EXACT},
   {3, P66, 0x43, 0x43, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {3, P66, 0x44, 0x44, WX, VEC_COMPUTES, ALL, 8, EXACT},
   {3, P66, 0x50, 0x50, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {3, P66, 0x51, 0x51, WX, VEC_COMPUTES, ONE, DQ, ROUNDS},
   {3, P66, 0x54, 0x54, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {3, P66, 0x55, 0x55, WX, VEC_COMPUTES, ONE, DQ, ROUNDS},
   {3, P66, 0x56, 0x56, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {3, P66, 0x57, 0x57, WX, VEC_COMPUTES, ONE, DQ, ROUNDS},
   {3, NP, 0x56, 0x56, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {3, NP, 0x57, 0x57, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
   {3, P66, 0x66, 0x66, WX, VEC_ASKS, ALL, DQ, EXACT},
   {3, P66, 0x67, 0x67, WX, VEC_ASKS, ONE, DQ, EXACT},
   {3, NP, 0x66, 0x66, W0, VEC_ASKS, ALL, 2, EXACT},
   {3, NP, 0x67, 0x67, W0, VEC_ASKS, ONE, 2, EXACT},
   {3, P66, 0x70, 0x70, W1, VEC_COMPUTES, ALL, 2, EXACT},
   {3, P66, 0x71, 0x71, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {3, P66, 0x72, 0x72, W1, VEC_COMPUTES, ALL, 2, EXACT},
   {3, P66, 0x73, 0x73, WX, VEC_COMPUTES, ALL, DQ, EXACT},
   {3, NP, 0xc2, 0xc2, W0, VEC_ASKS, ALL, 2, ROUNDS},
   {3, PF3, 0xc2, 0xc2, W0, VEC_ASKS, ONE, 2, ROUNDS},
   {3, P66, 0xce, 0xcf, W1, VEC_COMPUTES, ALL, 8, EXACT},

   /* map 5: FP16, and conversions from and to it */
   {5, PF3, 0x10, 0x10, W0, VEC_COMPUTES, ONE, 2, EXACT},
   {5, PF3, 0x11, 0x11, W0, VEC_STORES, ONE, 2, EXACT},
   {5, NP, 0x1d, 0x1d, W0, VEC_COMPUTES, ONE, 4, ROUNDS},
   {5, P66, 0x1d, 0x1d, W0, VEC_COMPUTES, ALL, 4, ROUNDS},
   {5, PF3, 0x2a, 0x2a, WX, VEC_FROM_WORD, ONE, DQ, ROUNDS},
   {5, PF3, 0x2c, 0x2d, WX, VEC_TO_WORD_REG, ONE, 2, ROUNDS},
   {5, NP, 0x2e, 0x2f, W0, VEC_COMPARES, ONE, 2, ROUNDS},
   {5, NP, 0x51, 0x51, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {5, PF3, 0x51, 0x51, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
   {5, NP, 0x5a, 0x5a, W0, VEC_COMPUTES, SPAN_QUARTER, 2, ROUNDS},
   {5, P66, 0x5a, 0x5a, W1, VEC_COMPUTES, ALL, 8, ROUNDS},
   {5, PF3, 0x5a, 0x5a, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
   {5, PF2, 0x5a, 0x5a, W1, VEC_COMPUTES, ONE, 8, ROUNDS},
   {5, NP, 0x5b, 0x5b, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {5, P66 | PF3, 0x5b, 0x5b, W0, VEC_COMPUTES, SPAN_HALF, 2, ROUNDS},
   {5, NP, 0x58, 0x5f, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {5, PF3, 0x58, 0x5f, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
   {5, P66, 0x6e, 0x6e, WX, VEC_FROM_WORD, ONE, 2, EXACT},
   {5, P66, 0x7e, 0x7e, WX, VEC_TO_WORD, ONE, 2, EXACT},
   {5, NP, 0x78, 0x79, W0, VEC_COMPUTES, SPAN_HALF, 2, ROUNDS},
   {5, P66, 0x78, 0x7b, W0, VEC_COMPUTES, SPAN_QUARTER, 2, ROUNDS},
   {5, PF3, 0x78, 0x79, WX, VEC_TO_WORD_REG, ONE, 2, ROUNDS},
   {5, PF2, 0x7a, 0x7a, WX, VEC_COMPUTES, ALL, DQ, ROUNDS},
   {5, PF3, 0x7b, 0x7b, WX, VEC_FROM_WORD, ONE, DQ, ROUNDS},
   {5, NP | P66, 0x7c, 0x7d, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {5, PF3 | PF2, 0x7d, 0x7d, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   /* map 6 */
   {6, NP, 0x13, 0x13, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
   {6, P66, 0x13, 0x13, W0, VEC_COMPUTES, SPAN_HALF, 2, ROUNDS},
   {6, P66, 0x2c, 0x2c, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0x2d, 0x2d, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
   {6, P66, 0x42, 0x42, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0x43, 0x43, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
   {6, P66, 0x4c, 0x4c, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0x4d, 0x4d, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
   {6, P66, 0x4e, 0x4e, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0x4f, 0x4f, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
   {6, PF3 | PF2, 0x56, 0x56, W0, VEC_COMPUTES, ALL, 4, ROUNDS},
   {6, PF3 | PF2, 0x57, 0x57, W0, VEC_COMPUTES, ONE, 4, ROUNDS},
   {6, PF3 | PF2, 0xd6, 0xd6, W0, VEC_COMPUTES, ALL, 4, ROUNDS},
   {6, PF3 | PF2, 0xd7, 0xd7, W0, VEC_COMPUTES, ONE, 4, ROUNDS},
   {6, P66, 0x96, 0x98, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0x9a, 0x9a, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0x9c, 0x9c, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0x9e, 0x9e, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0x99, 0x9f, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
   {6, P66, 0xa6, 0xa8, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0xaa, 0xaa, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0xac, 0xac, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0xae, 0xae, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0xa9, 0xaf, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
   {6, P66, 0xb6, 0xb8, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0xba, 0xba, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0xbc, 0xbc, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0xbe, 0xbe, W0, VEC_COMPUTES, ALL, 2, ROUNDS},
   {6, P66, 0xb9, 0xbf, W0, VEC_COMPUTES, ONE, 2, ROUNDS},
};

/* What VEX encodes of AVX-512: instructions that work on masks. */
static const VecRow masks[] = {
   {1, NP | P66, 0x41, 0x42, WX, MASK_COMPUTES, ONE, 0, EXACT},
   {1, NP | P66, 0x44, 0x47, WX, MASK_COMPUTES, ONE, 0, EXACT},
   {1, NP | P66, 0x4a, 0x4b, WX, MASK_COMPUTES, ONE, 0, EXACT},
   {1, NP, 0x90, 0x90, W0, MASK_COMPUTES, ONE, 2, EXACT},
   {1, NP, 0x90, 0x90, W1, MASK_COMPUTES, ONE, 8, EXACT},
   {1, P66, 0x90, 0x90, W0, MASK_COMPUTES, ONE, 1, EXACT},
   {1, P66, 0x90, 0x90, W1, MASK_COMPUTES, ONE, 4, EXACT},
   {1, NP, 0x91, 0x91, W0, MASK_STORES, ONE, 2, EXACT},
   {1, NP, 0x91, 0x91, W1, MASK_STORES, ONE, 8, EXACT},
   {1, P66, 0x91, 0x91, W0, MASK_STORES, ONE, 1, EXACT},
   {1, P66, 0x91, 0x91, W1, MASK_STORES, ONE, 4, EXACT},
   {1, NP | P66 | PF2, 0x92, 0x92, WX, MASK_FROM_WORD, ONE, 0, EXACT},
   {1, NP | P66 | PF2, 0x93, 0x93, WX, MASK_TO_WORD, ONE, 0, EXACT},
   {1, NP | P66, 0x98, 0x99, WX, MASK_TESTS, ONE, 0, EXACT},
   {3, P66, 0x30, 0x33, WX, MASK_COMPUTES, ONE, 0, EXACT},
};

/* Other instructions that VEX encodes. */
static const VecRow vex_gfni[] = {
   {2, P66, 0xcf, 0xcf, W0, VEC_COMPUTES, ALL, 1, EXACT},
   {3, P66, 0xce, 0xcf, W1, VEC_COMPUTES, ALL, 8, EXACT},
};
static const VecRow vaes[] = {
   {2, P66, 0xdc, 0xdf, WX, VEC_COMPUTES, ALL, 16, EXACT},
};
static const VecRow vpclmul[] = {
   {3, P66, 0x44, 0x44, WX, VEC_COMPUTES, ALL, 8, EXACT},
};
static const VecRow vnni[] = {
   {2, P66, 0x50, 0x53, W0, VEC_COMPUTES, ALL, 4, EXACT},
};
static const VecRow ifma[] = {
   {2, P66, 0xb4, 0xb5, W1, VEC_COMPUTES, ALL, 8, EXACT},
};

/* Instructions in the encoding from before AVX: vectors are 16 bytes. */
static const VecRow sha[] = {
   {2, NP, 0xc8, 0xcd, WX, VEC_COMPUTES, ALL, 4, EXACT},
   {3, NP, 0xcc, 0xcc, WX, VEC_COMPUTES, ALL, 4, EXACT},
};
static const VecRow gfni[] = {
   {2, P66, 0xcf, 0xcf, WX, VEC_COMPUTES, ALL, 1, EXACT},
   {3, P66, 0xce, 0xcf, WX, VEC_COMPUTES, ALL, 8, EXACT},
};
static const VecRow movdiri[] = {
   {2, NP, 0xf9, 0xf9, WX, WORD_STORES, ONE, DQ, EXACT},
};
static const VecRow rdpid[] = {
   {1, PF3, 0xc7, 0xc7, WX, WORD_BEGINS, ONE, 8, EXACT},
};

static Bool fits(const VecRow* row, VecOpcode opcode)
{
   return row->map == opcode.map && row->prefixes >> opcode.prefix & 1 &&
          row->first <= opcode.opcode && opcode.opcode <= row->last &&
          row->ws >> opcode.w & 1;
}

static UChar element_of(const VecRow* row, UChar w)
{
   return row->element & BY_W ? (row->element & ~BY_W) << w : row->element;
}

/* Rows that share a kind. */
typedef struct VecRows {
   UInt kind;
   const VecRow* rows;
   UInt n;
} VecRows;

#define ROWS(kind, rows)                                                       \
   {                                                                           \
      kind, rows, sizeof(rows) / sizeof *(rows)                                \
   }

static Bool find(const VecRows* in, VecOpcode opcode, VecRule* rule)
{
   for (const VecRow* row = in->rows; row < in->rows + in->n; row++) {
      if (!fits(row, opcode)) continue;
      *rule = (VecRule){.form = row->form,
                        .span = row->span,
                        .element = element_of(row, opcode.w),
                        .rounds = row->rounds,
                        .kinds = in->kind};
      return True;
   }
   return False;
}

static Bool
find_in_all(const VecRows* in, UInt n, VecOpcode opcode, VecRule* rule)
{
   for (UInt i = 0; i < n; i++)
      if (find(&in[i], opcode, rule)) return True;
   return False;
}

/* Opcodes of a map that not each processor with AVX-512 has. */
typedef struct VecExtension {
   UChar map, prefixes, first, last, ws;
   UInt kind;
} VecExtension;

/* Source: Intel's manual, volume 2: the CPUID feature flag of each. */
static const VecExtension extensions[] = {
   {2, P66, 0x50, 0x53, WX, HAS_EVEX_VNNI},
   {2, PF3, 0x52, 0x52, WX, HAS_BF16},
   {2, PF3 | PF2, 0x72, 0x72, WX, HAS_BF16},
   {2, P66, 0x54, 0x54, WX, HAS_BITALG},
   {2, P66, 0x55, 0x55, WX, HAS_VPOPCNT},
   {2, P66, 0x62, 0x63, WX, HAS_VBMI2},
   {2, P66, 0x70, 0x73, WX, HAS_VBMI2},
   {2, PF2, 0x68, 0x68, WX, HAS_INTERSECT},
   {2, P66, 0x75, 0x75, W0, HAS_VBMI},
   {2, P66, 0x7d, 0x7d, W0, HAS_VBMI},
   {2, P66, 0x83, 0x83, WX, HAS_VBMI},
   {2, P66, 0x8d, 0x8d, W0, HAS_VBMI},
   {2, P66, 0x8f, 0x8f, WX, HAS_BITALG},
   {2, P66, 0xb4, 0xb5, WX, HAS_EVEX_IFMA},
   {2, P66, 0xcf, 0xcf, WX, HAS_GFNI},
   {2, P66, 0xdc, 0xdf, WX, HAS_VAES},
   {3, NP, 0x00, 0xff, WX, HAS_FP16},
   {3, PF3, 0xc2, 0xc2, WX, HAS_FP16},
   {3, P66, 0x44, 0x44, WX, HAS_VPCLMUL},
   {3, P66, 0x70, 0x73, WX, HAS_VBMI2},
   {3, P66, 0xce, 0xcf, WX, HAS_GFNI},
   {5, NP | P66 | PF3 | PF2, 0x00, 0xff, WX, HAS_FP16},
   {6, NP | P66 | PF3 | PF2, 0x00, 0xff, WX, HAS_FP16},
};

/* What a processor needs besides AVX-512. */
static UInt extension_of(VecOpcode opcode)
{
   for (UInt i = 0; i < sizeof extensions / sizeof *extensions; i++) {
      const VecExtension* e = &extensions[i];
      if (e->map == opcode.map && e->prefixes >> opcode.prefix & 1 &&
          e->first <= opcode.opcode && opcode.opcode <= e->last &&
          e->ws >> opcode.w & 1)
         return e->kind;
   }
   return 0;
}

Bool cg2_vecrules_evex(VecOpcode opcode, VecRule* rule)
{
   static const VecRows all = ROWS(HAS_AVX512, evex);
   if (!find(&all, opcode, rule)) return False;
   rule->kinds |= extension_of(opcode);
   return True;
}

Bool cg2_vecrules_vex(VecOpcode opcode, VecRule* rule)
{
   static const VecRows all[] = {
      ROWS(HAS_AVX512, masks), ROWS(HAS_GFNI, vex_gfni),
      ROWS(HAS_VAES, vaes),    ROWS(HAS_VPCLMUL, vpclmul),
      ROWS(HAS_VNNI, vnni),    ROWS(HAS_IFMA, ifma),
   };
   return find_in_all(all, sizeof all / sizeof *all, opcode, rule);
}

Bool cg2_vecrules_legacy(VecOpcode opcode, VecRule* rule)
{
   static const VecRows all[] = {
      ROWS(HAS_SHA, sha),
      ROWS(HAS_GFNI, gfni),
      ROWS(HAS_MOVDIRI, movdiri),
      ROWS(HAS_RDPID, rdpid),
   };
   return find_in_all(all, sizeof all / sizeof *all, opcode, rule);
}

/*--- Masks and memory ---------------------------------------------------*/

/* Opcodes of a map, from first to last. */
typedef struct VecRange {
   UChar map, first, last;
} VecRange;

static Bool is_in(const VecRange* ranges, UInt n, VecOpcode opcode)
{
   for (UInt i = 0; i < n; i++)
      if (ranges[i].map == opcode.map && ranges[i].first <= opcode.opcode &&
          opcode.opcode <= ranges[i].last)
         return True;
   return False;
}

/* Source: Intel's manual, volume 2: the exception classes E4NF, E5NF and E6NF,
 * which have no fault suppression: elements of the result are no elements of
 * memory. */
static const VecRange unsuppressed[] = {
   {1, 0x12, 0x12}, {1, 0x14, 0x15}, {1, 0x60, 0x63}, {1, 0x67, 0x6d},
   {1, 0x70, 0x70}, {1, 0xc6, 0xc6}, {1, 0xd1, 0xd3}, {1, 0xe1, 0xe2},
   {1, 0xf1, 0xf3}, {1, 0xf5, 0xf6}, {2, 0x00, 0x04}, {2, 0x0c, 0x0d},
   {2, 0x16, 0x16}, {2, 0x2b, 0x2b}, {2, 0x36, 0x36}, {2, 0x75, 0x77},
   {2, 0x7d, 0x7f}, {2, 0x83, 0x83}, {2, 0x8d, 0x8d}, {2, 0x8f, 0x8f},
   {2, 0xc4, 0xc4}, {3, 0x00, 0x05}, {3, 0x0f, 0x0f}, {3, 0x18, 0x18},
   {3, 0x1a, 0x1a}, {3, 0x21, 0x23}, {3, 0x38, 0x38}, {3, 0x3a, 0x3a},
   {3, 0x42, 0x44}, {3, 0xce, 0xcf},
};

/* Instructions whose operand is read once for all elements. */
static const VecRange repeating[] = {
   {2, 0x18, 0x1b}, {2, 0x58, 0x5b}, {2, 0x78, 0x79}};

VecChoice cg2_vecrules_choice(VecOpcode opcode, const VecRule* rule)
{
   if (is_in(repeating, sizeof repeating / sizeof *repeating, opcode))
      return CHOICE_REPEATS;
   if (is_in(unsuppressed, sizeof unsuppressed / sizeof *unsuppressed,
             opcode) &&
       !(opcode.map == 1 && opcode.opcode == 0x12 && opcode.prefix == 2))
      return CHOICE_NONE;
   if (rule->span == SPAN_PACKED) return CHOICE_PACKED;
   return rule->span == SPAN_ELEMENT ? CHOICE_ONE : CHOICE_EACH;
}

Bool cg2_vecrules_has_constant(UChar map, UChar opcode)
{
   return map == 3 ||
          (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
                        (opcode >= 0xc4 && opcode <= 0xc6)));
}
