/* The one search in what is sorted. */
#ifndef CG2P_SEARCH_H
#define CG2P_SEARCH_H

#include <stddef.h>

/* The first number `at`, from `first` to `end` - 1, for which `is_before`, an
 * expression of `at`, is false; `end`: there is none. What it is true for comes
 * before what it is false for:
 *
 *    size_t line = cg2p_search_first(i, 0, n, lines[i].address < address); */
#define cg2p_search_first(at, first, end, is_before)                           \
   ({                                                                          \
      size_t low_ = (first), high_ = (end);                                    \
      while (low_ < high_) {                                                   \
         size_t at = low_ + (high_ - low_) / 2;                                \
         if (is_before)                                                        \
            low_ = at + 1;                                                     \
         else                                                                  \
            high_ = at;                                                        \
      }                                                                        \
      low_;                                                                    \
   })

#endif
