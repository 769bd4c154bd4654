#include "dwarf/rows.h"

/* Whether a row ends a sequence; *address: where. */
static bool is_end(Dwarf_Lines* rows, size_t i, Dwarf_Addr* address)
{
   bool ends;
   Dwarf_Line* row = dwarf_onesrcline(rows, i);
   return !dwarf_lineaddr(row, address) && !dwarf_lineendsequence(row, &ends) &&
          ends;
}

bool cg2d_rows_range(Dwarf_Die* unit,
                     Dwarf_Lines* rows,
                     size_t n,
                     size_t i,
                     Dwarf_Addr* start,
                     Dwarf_Addr* end)
{
   Dwarf_Addr ended;
   if (i + 1 >= n || is_end(rows, i, start) ||
       dwarf_lineaddr(dwarf_onesrcline(rows, i), start) ||
       dwarf_lineaddr(dwarf_onesrcline(rows, i + 1), end) || *start >= *end)
      return false;
   bool is_behind_end = i && is_end(rows, i - 1, &ended) && ended == *start;
   return !is_behind_end || dwarf_haspc(unit, *start) != 0;
}
