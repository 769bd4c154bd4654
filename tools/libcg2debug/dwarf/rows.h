/* Rows of a unit's line table. */
#ifndef CG2D_ROWS_H
#define CG2D_ROWS_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* The addresses, without bias, of the instructions of row `i` of `n`: up to the
 * row behind it. False: it has none, as the last row of a sequence, or one that
 * begins where its sequence ends, as behind a call that does not return. libdw
 * has that row behind the end, so that the next sequence seems to bound it. */
bool cg2d_rows_range(Dwarf_Die* unit,
                     Dwarf_Lines* rows,
                     size_t n,
                     size_t i,
                     Dwarf_Addr* start,
                     Dwarf_Addr* end);

#endif
