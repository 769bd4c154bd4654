/* Order words: the order of up to 16 ways, the way used last in front, as one
 * word of four bits for each.
 *
 *    0xfedcba9876543210    way 0 is in front, way 1 next, ... way 15 is last
 *    0xfedcba9876542103    way 3 was moved to the front
 *
 * A *place* is the number of the lowest of a way's four bits: the way in front
 * is at place 0, the next one at place 4. */
#ifndef CG2_ORDER_H
#define CG2_ORDER_H

#include "base/vg.h"

enum {
   ORDER_WAYS = 16,    /* the most ways that have an order word */
   NO_WAY = ORDER_WAYS /* the number of no way */
};
static const ULong ORDER_START = 0xfedcba9876543210ULL; /* from 0 on */
static const ULong ORDER_ONES = 0x1111111111111111ULL;  /* 1 at each place */

/* The way that stands at a place. */
static inline UInt cg2_order_at(ULong order, UInt place)
{
   return order >> place & 15;
}

/* The place where `way` stands: the lowest four bits that are zero when `way`
 * is taken from all, which the borrow of a subtraction shows. */
static inline UInt cg2_order_find(ULong order, UInt way)
{
   ULong rest = order ^ way * ORDER_ONES;
   return __builtin_ctzll((rest - ORDER_ONES) & ~rest & ORDER_ONES << 3) - 3;
}

/* The order after `way`, which stands at place `from`, moved to the front. */
static inline ULong cg2_order_to_front(ULong order, UInt from, UInt way)
{
   ULong to_from = ~0ULL << from;
   return (order & to_from << 4) | (order & ~to_from) << 4 | way;
}

/* The order after the way at place `from` moved to place `to`, which is not in
 * front of `from`. */
static inline ULong cg2_order_move_back(ULong order, UInt from, UInt to)
{
   ULong before = ((ULong)1 << from) - 1;
   ULong behind = ~0ULL << to << 4;
   ULong between = order & ~before & ~behind & ~((ULong)15 << from);
   ULong way = cg2_order_at(order, from);
   return (order & (before | behind)) | between >> 4 | way << to;
}

#endif
