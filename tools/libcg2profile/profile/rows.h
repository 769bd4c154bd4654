/* A function's lines in an order, at hand all at once. */
#ifndef CG2P_ROWS_H
#define CG2P_ROWS_H

#include "profile/part.h"

/* Lines of one function. Kept from function to function, so that memory is
 * asked for only where one is larger than all before. */
typedef struct Rows {
   Line* of;
   size_t n, room;
   uint64_t* costs; /* where of[i].cost points to */
   size_t costs_room;
} Rows;

/* Compares two lines for an order: less than 0, 0 or more. `context` is the
 * caller's. */
typedef int RowOrder(const Line* a, const Line* b, const void* context);

static inline int cg2p_rows_compare_numbers(uint64_t a, uint64_t b)
{
   return a < b ? -1 : a > b;
}

/* By address, line and block. */
static inline int cg2p_rows_compare_places(const Place* a, const Place* b)
{
   if (a->instr != b->instr)
      return cg2p_rows_compare_numbers(a->instr, b->instr);
   if (a->line != b->line) return cg2p_rows_compare_numbers(a->line, b->line);
   return cg2p_rows_compare_numbers(a->block, b->block);
}

/* Makes `rows` the lines of a function. */
void cg2p_rows_read(Rows* rows,
                    Failure* failure,
                    const Part* part,
                    uint32_t function);
/* Adds a copy of a line with `width` costs. The rows are in the order in which
 * they were added. */
void cg2p_rows_add(Rows* rows,
                   Failure* failure,
                   const Line* line,
                   uint32_t width);
/* Puts the rows in order; those that are equal come in any. */
void cg2p_rows_sort(Rows* rows, RowOrder* order, const void* context);
/* Makes one row of neighbours of kind `kind` that `order` says are equal: their
 * numbers are added. False: a sum is too large for 64 bits. */
bool cg2p_rows_unite(Rows* rows,
                     cg2p_line_kind kind,
                     uint32_t n_events,
                     RowOrder* order,
                     const void* context);
/* Adds the numbers of `more` to those of `row`. False: a sum is too large. */
bool cg2p_rows_add_up(Line* row, const Line* more, uint32_t n_events);
void cg2p_rows_free(Rows* rows);

#endif
