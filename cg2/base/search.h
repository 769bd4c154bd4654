/* The one search in what is sorted. */
#ifndef CG2_SEARCH_H
#define CG2_SEARCH_H

#include "base/vg.h"

/* The first number `at`, from `first` to `end` - 1, for which `is_before`, an
 * expression of `at`, is false; `end`: there is none. What it is true for comes
 * before what it is false for:
 *
 *    UInt line = cg2_search_first(i, 0, n, lines[i].address < address); */
#define cg2_search_first(at, first, end, is_before)                            \
   ({                                                                          \
      UWord low_ = (first), high_ = (end);                                     \
      while (low_ < high_) {                                                   \
         UWord at = low_ + (high_ - low_) / 2;                                 \
         if (is_before)                                                        \
            low_ = at + 1;                                                     \
         else                                                                  \
            high_ = at;                                                        \
      }                                                                        \
      low_;                                                                    \
   })

#endif
