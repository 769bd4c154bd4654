#include "profile/order.h"

/*--- Names --------------------------------------------------------------*/

static int order_names(const Order* order, uint32_t a, uint32_t b)
{
   return cg2p_names_compare(&order->names->of[a], &order->names->of[b]);
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
   if (!first) first = cg2p_rows_compare_places(&a->target, &b->target);
   if (!first)
      first = cg2p_rows_compare_numbers(a->is_conditional, b->is_conditional);
   return first ? first : cg2p_order_functions(order, a->function, b->function);
}

static int order_calls(const Line* a, const Line* b, const Order* order)
{
   int first = cg2p_order_functions(order, a->function, b->function);
   return first ? first : cg2p_rows_compare_places(&a->target, &b->target);
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
   int first = cg2p_rows_compare_places(&a->at, &b->at);
   if (!first) first = order_kinds(a->kind, b->kind);
   if (first || a->kind == CG2P_COST) return first;
   return a->kind == CG2P_JUMP ? order_jumps(a, b, order)
                               : order_calls(a, b, order);
}
