#include "stacks/portion.h"

#include <stdbool.h>

static bool is_before(Remainder a, Remainder b)
{
   return a.left > b.left || (a.left == b.left && a.item < b.item);
}

static void swap(Remainder* a, Remainder* b)
{
   Remainder kept = *a;
   *a = *b;
   *b = kept;
}

/* Parts remainders `first` to `last` in those before one of them and those
 * behind it; where that one is then. */
static uint32_t part(Remainder* remainders, uint32_t first, uint32_t last)
{
   uint32_t to = first;
   swap(&remainders[first + (last - first) / 2], &remainders[last]);
   for (uint32_t i = first; i < last; i++)
      if (is_before(remainders[i], remainders[last]))
         swap(&remainders[i], &remainders[to++]);
   swap(&remainders[to], &remainders[last]);
   return to;
}

Cut cg2p_portion_cut(Remainder* remainders, uint32_t n, uint64_t over)
{
   if (!over) return (Cut){.left = UINT64_MAX};
   uint32_t first = 0, last = n - 1, wanted = over - 1;
   while (first < last) {
      uint32_t middle = part(remainders, first, last);
      if (middle == wanted) break;
      if (middle < wanted)
         first = middle + 1;
      else
         last = middle - 1;
   }
   return remainders[wanted];
}
