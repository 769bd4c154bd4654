#include "ask/groups.h"

/* Compares two rows, or ends of sides, by all keys but the last. */
static int compare_groups(
   const Sides* sides, int a_side, size_t a_row, int b_side, size_t b_row)
{
   const cg2p_side *a = &sides->of[a_side], *b = &sides->of[b_side];
   int order = (a_row == a->n) - (b_row == b->n);
   if (order || a_row == a->n) return order;
   for (unsigned key = 0; !order && key < sides->last; key++)
      order =
         cg2p_rows_compare_numbers(a->keys[key][a_row], b->keys[key][b_row]);
   return order;
}

/* Where the group ends that begins at a row. */
static size_t end_of_group(const Sides* sides, int side, size_t row)
{
   size_t end = row;
   while (end < sides->of[side].n &&
          !compare_groups(sides, side, row, side, end))
      end++;
   return end;
}

bool cg2p_groups_next(const Sides* sides, Group groups[SIDES])
{
   size_t from[SIDES] = {groups[0].to, groups[1].to};
   if (from[0] == sides->of[0].n && from[1] == sides->of[1].n) return false;
   int order = compare_groups(sides, 0, from[0], 1, from[1]);
   bool is_there[SIDES] = {order <= 0, order >= 0};
   for (int side = 0; side < SIDES; side++) {
      size_t to =
         is_there[side] ? end_of_group(sides, side, from[side]) : from[side];
      const uint64_t* key = sides->of[side].keys[sides->last];
      if (sides->lines_move && from[side] < to && !key[from[side]])
         from[side]++;
      groups[side] = (Group){key, from[side], to};
   }
   return true;
}
