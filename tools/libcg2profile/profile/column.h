/* The columns of positions: the numbers that a place has, as a profile writes
 * them. Who reads or writes positions, or leaves some out, goes by this list.
 *
 * A new column is a number of cg2p_place, a value of Column, a row of
 * cg2p_columns, and a line in cg2p_column_at. Beside that, places are stored
 * (lines.c), put in order (order.c, rows.h), and asked for (table.c). */
#ifndef CG2P_COLUMN_H
#define CG2P_COLUMN_H

#include "cg2profile.h"

#include <stdbool.h>

/* The columns, in the order in which a line has them. */
typedef enum Column {
   COLUMN_INSTR,
   COLUMN_BLOCK,
   COLUMN_LINE,
   COLUMNS_MAX
} Column;

/* What is known of a column. */
typedef struct ColumnKind {
   const char* name;    /* in the header's "positions:" */
   const char* synonym; /* another name that it may have there; or NULL */
   unsigned bit;        /* in sets of columns: CG2P_INSTR, ... */
   bool is_hexadecimal; /* how its numbers are written */
} ColumnKind;

extern const ColumnKind cg2p_columns[COLUMNS_MAX];

/* Where a place has its number of a column. */
static inline uint64_t* cg2p_column_at(cg2p_place* place, Column column)
{
   return column == COLUMN_INSTR  ? &place->instr
          : column == COLUMN_LINE ? &place->line
                                  : &place->block;
}

/* The number that a place has in a column. */
static inline uint64_t cg2p_column_of(const cg2p_place* place, Column column)
{
   return *cg2p_column_at((cg2p_place*)place, column);
}

#endif
