/* The order of up to 16 ways, as a word: 4 bits for each, from the first at the
 * lowest bits. A *place* is the bit at which a way stands. */
#ifndef CG2_ORDER_H
#define CG2_ORDER_H

#include "base/vg.h"

enum { ORDER_WAYS = 16, NO_WAY = ORDER_WAYS };
static const ULong ORDER_START = 0xfedcba9876543210ULL;
static const ULong ORDER_ONES = 0x1111111111111111ULL;

static inline UInt cg2_order_at(ULong order, UInt place)
{
   return order >> place & 15;
}

/* The place of `way`: the lowest four bits that are zero when `way` is taken
 * from all, which the borrow of a subtraction shows. */
static inline UInt cg2_order_find(ULong order, UInt way)
{
   ULong rest = order ^ way * ORDER_ONES;
   return __builtin_ctzll((rest - ORDER_ONES) & ~rest & ORDER_ONES << 3) - 3;
}

/* Moves `way`, which is at `from`, to the front. */
static inline ULong cg2_order_to_front(ULong order, UInt from, UInt way)
{
   ULong to_from = ~0ULL << from;
   return (order & to_from << 4) | (order & ~to_from) << 4 | way;
}

/* Moves the way at `from` to `to`, which is not before it. */
static inline ULong cg2_order_move_back(ULong order, UInt from, UInt to)
{
   ULong before = ((ULong)1 << from) - 1;
   ULong behind = ~0ULL << to << 4;
   ULong between = order & ~before & ~behind & ~((ULong)15 << from);
   ULong way = cg2_order_at(order, from);
   return (order & (before | behind)) | between >> 4 | way << to;
}

#endif
