#include "profile/rows.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more row behind the last one, whose cost may be set. */
static Line* reserve_row(Rows* rows, Failure* failure, uint32_t width)
{
   size_t before = rows->costs_room;
   rows->of = cg2p_memory_grow(failure, rows->of, &rows->room, rows->n + 1,
                               sizeof *rows->of);
   rows->costs = cg2p_memory_grow(failure, rows->costs, &rows->costs_room,
                                  (rows->n + 1) * width, sizeof *rows->costs);
   for (size_t i = 0; rows->costs_room > before && i < rows->n; i++)
      rows->of[i].cost = rows->costs + i * width; /* costs have moved */
   rows->of[rows->n].cost = rows->costs + rows->n * width;
   return &rows->of[rows->n];
}

void cg2p_rows_add(Rows* rows,
                   Failure* failure,
                   const Line* line,
                   uint32_t width)
{
   Line* row = reserve_row(rows, failure, width);
   uint64_t* cost = row->cost;
   *row = *line;
   row->cost = cost;
   memcpy(cost, line->cost, width * sizeof *cost);
   rows->n++;
}

void cg2p_rows_read(Rows* rows,
                    Failure* failure,
                    const Part* part,
                    uint32_t function)
{
   LineCursor cursor = cg2p_part_lines(part, function);
   rows->n = 0;
   while (cg2p_lines_next(&cursor, reserve_row(rows, failure, part->n_events)))
      rows->n++;
}

/*--- Order --------------------------------------------------------------*/

typedef struct RowSorting {
   RowOrder* order;
   const void* context;
} RowSorting;

static int compare(const void* a, const void* b, void* sorting)
{
   const RowSorting* s = sorting;
   return s->order(a, b, s->context);
}

static bool is_sorted(const Rows* rows, RowOrder* order, const void* context)
{
   for (size_t i = 1; i < rows->n; i++)
      if (order(&rows->of[i - 1], &rows->of[i], context) > 0) return false;
   return true;
}

void cg2p_rows_sort(Rows* rows, RowOrder* order, const void* context)
{
   RowSorting sorting = {order, context};
   if (is_sorted(rows, order, context)) return;
   qsort_r(rows->of, rows->n, sizeof *rows->of, compare, &sorting);
}

/*--- Sums ---------------------------------------------------------------*/

bool cg2p_rows_add_up(Line* row, const Line* more, uint32_t n_events)
{
   bool fits =
      !__builtin_add_overflow(row->count, more->count, &row->count) &&
      !__builtin_add_overflow(row->executed, more->executed, &row->executed);
   for (uint32_t i = 0; i < n_events; i++)
      fits &=
         !__builtin_add_overflow(row->cost[i], more->cost[i], &row->cost[i]);
   return fits;
}

bool cg2p_rows_unite(Rows* rows,
                     cg2p_line_kind kind,
                     uint32_t n_events,
                     RowOrder* order,
                     const void* context)
{
   size_t n = 0;
   bool fits = true;
   for (size_t i = 0; i < rows->n; i++) {
      const Line* row = &rows->of[i];
      Line* last = n ? &rows->of[n - 1] : NULL;
      if (last && row->kind == kind && last->kind == kind &&
          order(last, row, context) == 0)
         fits &= cg2p_rows_add_up(last, row, n_events);
      else
         rows->of[n++] = *row;
   }
   rows->n = n;
   return fits;
}

void cg2p_rows_free(Rows* rows)
{
   free(rows->of);
   free(rows->costs);
   *rows = (Rows){.n = 0};
}
