/* Whole numbers in proportion to weights, which add up to a given amount: what
 * division leaves over goes to the largest remainders, by one each; to the
 * first ones of those that are equal. */
#ifndef CG2P_PORTION_H
#define CG2P_PORTION_H

#include <stdint.h>

/* What division left over of one item's portion. */
typedef struct Remainder {
   uint64_t left; /* below the sum of the weights */
   uint32_t item; /* its number */
} Remainder;

/* The last remainder that gets one more; `left` is UINT64_MAX if none does. */
typedef Remainder Cut;

/* What division alone makes of the portion of item number `item`, and in *left
 * what it leaves. `sum` is that of all weights, above 0. */
static inline uint64_t cg2p_portion_divide(uint64_t amount,
                                           uint64_t weight,
                                           uint64_t sum,
                                           uint64_t* left)
{
   unsigned __int128 product = (unsigned __int128)amount * weight;
   uint64_t quotient = product / sum;
   *left = (uint64_t)product - quotient * sum;
   return quotient;
}

/* Finds who gets one more, where division left `n` remainders, which are put
 * into another order, and `over` of the amount, at most n. */
Cut cg2p_portion_cut(Remainder* remainders, uint32_t n, uint64_t over);

/* Whether an item gets one more. */
static inline int cg2p_portion_more(Cut cut, uint64_t left, uint32_t item)
{
   return left > cut.left || (left == cut.left && item <= cut.item);
}

#endif
