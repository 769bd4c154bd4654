/* The order of functions, and of the lines in each: section 4 of
 * docs/format.md. It depends on names and positions alone, so that equal
 * profiles become equal files, and what files of one program have in common
 * comes in the same order from all of them. */
#ifndef CG2P_ORDER_H
#define CG2P_ORDER_H

#include "profile/rows.h"

/* Whose functions are compared, or whose lines. */
typedef struct Order {
   const NameStore* names;
   const Part* part;
   uint32_t function; /* whose lines they are: a number */
} Order;

/* Functions, by their numbers. */
int cg2p_order_functions(const Order* order, uint32_t a, uint32_t b);

/* Lines of one function whose addresses are the same; see cg2p_order_lines. */
int cg2p_order_at_address(const Line* a, const Line* b, const Order* order);

/* A RowOrder. Lines that are equal are of one kind, at one place, and lead to
 * one. At one position costs come first, then jumps, then calls. */
static inline int
cg2p_order_lines(const Line* a, const Line* b, const void* order)
{
   return a->at.instr != b->at.instr
             ? cg2p_rows_compare_numbers(a->at.instr, b->at.instr)
             : cg2p_order_at_address(a, b, order);
}

#endif
