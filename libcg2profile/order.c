#include "order.h"

#include <string.h>

/*--- Names --------------------------------------------------------------*/

/* Byte by byte. A name has one number. */
static int order_names(const Order* order, uint32_t a, uint32_t b)
{
   const Name *left = &order->names->of[a], *right = &order->names->of[b];
   if (a == b) return 0;
   bool is_shorter = left->length < right->length;
   int first = memcmp(left->text, right->text,
                      is_shorter ? left->length : right->length);
   return first ? first : is_shorter ? -1 : 1;
}

int cg2p_order_functions(const Order* order, uint32_t a, uint32_t b)
{
   const cg2p_function *left = &order->part->functions[a],
                       *right = &order->part->functions[b];
   if (a == b) return 0;
   int first = order_names(order, left->object, right->object);
   if (!first) first = order_names(order, left->file, right->file);
   return first ? first : order_names(order, left->name, right->name);
}

/*--- Lines --------------------------------------------------------------*/

/* The function's own file comes first. */
static int order_files(const Order* order, uint32_t a, uint32_t b)
{
   uint32_t own = order->part->functions[order->function].file;
   if (a == own) return -1;
   return b == own ? 1 : order_names(order, a, b);
}

static int order_jumps(const Line* a, const Line* b, const Order* order)
{
   int first = order_names(order, a->target_file, b->target_file);
   if (!first) first = cg2p_compare_places(&a->target, &b->target);
   if (!first)
      first = cg2p_compare_numbers(a->is_conditional, b->is_conditional);
   return first ? first : cg2p_order_functions(order, a->function, b->function);
}

static int order_calls(const Line* a, const Line* b, const Order* order)
{
   int first = cg2p_order_functions(order, a->function, b->function);
   return first ? first : cg2p_compare_places(&a->target, &b->target);
}

static int order_kinds(cg2p_line_kind a, cg2p_line_kind b)
{
   static const int place[] = {
      [CG2P_COST] = 0, [CG2P_JUMP] = 1, [CG2P_CALL] = 2};
   return place[a] - place[b];
}

int cg2p_order_at_address(const Line* a, const Line* b, const Order* order)
{
   if (a->file != b->file) return order_files(order, a->file, b->file);
   int first = cg2p_compare_places(&a->at, &b->at);
   if (!first) first = order_kinds(a->kind, b->kind);
   if (first || a->kind == CG2P_COST) return first;
   return a->kind == CG2P_JUMP ? order_jumps(a, b, order)
                               : order_calls(a, b, order);
}
