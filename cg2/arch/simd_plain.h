/* simd.h for processors without a header of their own: plain C. */
#ifndef CG2_SIMD_PLAIN_H
#define CG2_SIMD_PLAIN_H

#include "base/vg.h"

static inline UInt cg2_simd_equal(const UInt* row, UInt n, UInt wanted)
{
   UInt mask = 0;
   for (UInt i = 0; i < n; i++)
      mask |= (UInt)(row[i] == wanted) << i;
   return mask;
}

static inline UInt cg2_simd_lowest(const UInt* row, UInt n)
{
   UInt lowest = 0;
   for (UInt i = 1; i < n; i++)
      if (row[i] < row[lowest]) lowest = i;
   return lowest;
}

static inline UInt cg2_simd_highest(const UInt* row, UInt n)
{
   UInt highest = 0;
   for (UInt i = 0; i < n; i++)
      if (row[i] > highest) highest = row[i];
   return highest;
}

#endif
