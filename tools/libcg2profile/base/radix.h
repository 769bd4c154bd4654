/* Many numbers put in order, in a time that grows with how many they are. */
#ifndef CG2P_RADIX_H
#define CG2P_RADIX_H

#include <stddef.h>
#include <stdint.h>

/* Sorts the `n` numbers of items in `order` by the items' keys: that of item i
 * is keys[i]. Items with the same key stay in the order that they are in, so
 * that items are sorted by several keys if they are by the last key first.
 * `spare` is room for n numbers. */
void cg2p_radix_sort(size_t* order,
                     size_t* spare,
                     size_t n,
                     const uint64_t* keys);

#endif
