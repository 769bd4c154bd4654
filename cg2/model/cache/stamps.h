/* Stamps: when the lines of a set were touched last, for each of its ways.
 *
 * A set has 4, 8 or 16 stamps, at a multiple of 16 bytes. Each is a time from 1
 * below STAMP_NONE, or 0 if its way is empty; places that the set has no ways
 * for have STAMP_NONE. So the way to replace is the one with the lowest stamp:
 *
 *    a set of three ways, in which way 1 is empty:  | 40 | 0 | 35 | NONE |
 */
#ifndef CG2_STAMPS_H
#define CG2_STAMPS_H

#include "model/cache/tags.h"

enum { STAMP_NONE = SIMD_WORD_MAX };

/* The way that was touched first, of the `n` places of a set. */
static inline UInt cg2_stamps_oldest(const UInt* stamps, UInt n)
{
   return cg2_simd_lowest(stamps, n);
}

/* The time of the latest touch of a set with so many ways. */
static inline UInt cg2_stamps_newest(const UInt* stamps, UInt ways)
{
   return cg2_simd_highest(stamps, ways);
}

/* Gives the ways of a set that were touched the times from 1 on, in the order
 * of their touches. */
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
