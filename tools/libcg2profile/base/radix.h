/* Many numbers put in order, in a time that grows with how many they are. */
#ifndef CG2P_RADIX_H
#define CG2P_RADIX_H

#include <stddef.h>
#include <stdint.h>

/* Lets each of `n` counts be how many items come in front of those that it
 * counts. */
static inline void cg2p_radix_begin(size_t* counts, size_t n)
{
   size_t before = 0;
   for (size_t i = 0; i < n; i++) {
      size_t own = counts[i];
      counts[i] = before;
      before += own;
   }
}

/* Sorts the `n` numbers of items in `order` by the items' keys: that of item i
 * is keys[i]. Items with the same key stay in the order that they are in, so
 * that items are sorted by several keys if they are by the last key first.
 * `spare` is room for n numbers. */
void cg2p_radix_sort(size_t* order,
                     size_t* spare,
                     size_t n,
                     const uint64_t* keys);

#endif
