#include "ask/likeness.h"

#include <stdlib.h>

/*--- Texts --------------------------------------------------------------*/

void cg2p_likeness_begin_file(Likeness* likeness,
                              Failure* failure,
                              const char* const sources[SIDES])
{
   bool are_known = sources[0] && sources[1];
   for (int side = 0; side < SIDES; side++)
      cg2p_sourcelines_read(&likeness->texts[side], failure,
                            are_known ? sources[side] : NULL);
}

/*--- Rows that are alike ------------------------------------------------*/

/* Any order of rows, as long as it is the same for both sides. */
typedef int
AnyOrder(const Likeness* likeness, int a_side, size_t a, int b_side, size_t b);

static int compare_costs(
   const Likeness* likeness, int a_side, size_t a, int b_side, size_t b)
{
   const Sides* sides = likeness->sides;
   return memcmp(cg2p_groups_cost(sides, a_side, a),
                 cg2p_groups_cost(sides, b_side, b),
                 sides->n_events * sizeof(uint64_t));
}

/* How many of the lines behind a row are compared for their distances. */
enum { LINES_BEHIND = 4 };

/* How far behind a row's line another one stands; 0: there is none. */
static uint64_t distance_to(const Group* group, size_t row, size_t behind)
{
   if (behind >= group->to - row) return 0;
   return group->key[row + behind] - group->key[row];
}

static int compare_lines_behind(
   const Likeness* likeness, int a_side, size_t a, int b_side, size_t b)
{
   const Group *x = &likeness->groups[a_side], *y = &likeness->groups[b_side];
   int order = 0;
   for (size_t i = 1; !order && i <= LINES_BEHIND; i++)
      order =
         cg2p_rows_compare_numbers(distance_to(x, a, i), distance_to(y, b, i));
   return order;
}

/* Rows of a side, to be put in an order. */
typedef struct AlikeSorting {
   const Likeness* likeness;
   AnyOrder* order;
   int side;
} AlikeSorting;

static int compare_rows(const void* a, const void* b, void* sorting)
{
   const AlikeSorting* s = sorting;
   size_t x = *(const size_t*)a, y = *(const size_t*)b;
   int order = s->order(s->likeness, s->side, x, s->side, y);
   return order ? order : cg2p_rows_compare_numbers(x, y);
}

static void make_room(RowList* rows, Failure* failure, size_t n)
{
   rows->of =
      cg2p_memory_grow(failure, rows->of, &rows->room, n, sizeof *rows->of);
   rows->n = n;
}

static void
sort_rows(Likeness* likeness, Failure* failure, AnyOrder* order, int side)
{
   RowList* rows = &likeness->sorted[side];
   const Group* group = &likeness->groups[side];
   make_room(rows, failure, cg2p_groups_count_rows(group));
   for (size_t i = 0; i < rows->n; i++)
      rows->of[i] = group->from + i;
   qsort_r(rows->of, rows->n, sizeof *rows->of, compare_rows,
           &(AlikeSorting){likeness, order, side});
}

/* How many of the sorted rows, from `from` on, are alike. */
static size_t
count_alike(const Likeness* likeness, AnyOrder* order, int side, size_t from)
{
   const RowList* rows = &likeness->sorted[side];
   size_t i = from + 1;
   while (i < rows->n &&
          !order(likeness, side, rows->of[from], side, rows->of[i]))
      i++;
   return i - from;
}

/* Finds the rows that are alike: those of which both sides have as many, in
 * their order. */
static void find_alike(Likeness* likeness, Failure* failure, AnyOrder* order)
{
   const RowList *old = &likeness->sorted[0], *new = &likeness->sorted[1];
   for (int side = 0; side < SIDES; side++)
      sort_rows(likeness, failure, order, side);
   make_room(&likeness->alike, failure, old->n);
   for (size_t i = 0; i < old->n; i++)
      likeness->alike.of[i] = CG2P_NO_ROW;
   for (size_t a = 0, b = 0; a < old->n && b < new->n;) {
      int found = order(likeness, 0, old->of[a], 1, new->of[b]);
      size_t n = found <= 0 ? count_alike(likeness, order, 0, a) : 0;
      size_t m = found >= 0 ? count_alike(likeness, order, 1, b) : 0;
      for (size_t i = 0; n == m && i < n; i++)
         likeness->alike.of[old->of[a + i] - likeness->groups[0].from] =
            new->of[b + i];
      a += n;
      b += m;
   }
}

void cg2p_likeness_begin(Likeness* likeness,
                         Failure* failure,
                         const Group groups[SIDES])
{
   memcpy(likeness->groups, groups, sizeof likeness->groups);
   find_alike(likeness, failure, compare_costs);
}

void cg2p_likeness_begin_by_distance(Likeness* likeness,
                                     Failure* failure,
                                     const Group groups[SIDES])
{
   memcpy(likeness->groups, groups, sizeof likeness->groups);
   find_alike(likeness, failure, compare_lines_behind);
}

/*--- The weight of a pair -----------------------------------------------*/

static int64_t weigh_calls(const Sides* sides, size_t old, size_t new)
{
   if (!sides->calls[0] || !sides->calls[1]) return 0;
   LineCalls was = sides->calls[0][old], is = sides->calls[1][new];
   if (was.functions != is.functions) return WEIGHT_OTHER_CALLS;
   if (!was.functions) return 0;
   return WEIGHT_SAME_CALLS + (was.times == is.times ? WEIGHT_SAME_COUNTS : 0);
}

static int64_t weigh_texts(const Likeness* likeness, size_t old, size_t new)
{
   uint64_t was =
      cg2p_sourcelines_at(&likeness->texts[0], likeness->groups[0].key[old]);
   uint64_t is =
      cg2p_sourcelines_at(&likeness->texts[1], likeness->groups[1].key[new]);
   if (!was || !is) return 0;
   return was == is ? WEIGHT_SAME_TEXT : WEIGHT_OTHER_TEXT;
}

int64_t cg2p_likeness_weigh(const Likeness* likeness, size_t old, size_t new)
{
   bool is_alike = cg2p_likeness_alike(likeness, old) == new;
   return WEIGHT_PAIRED + (is_alike ? WEIGHT_SAME_COST : 0) +
          weigh_calls(likeness->sides, old, new) +
          weigh_texts(likeness, old, new);
}

void cg2p_likeness_free(Likeness* likeness)
{
   for (int side = 0; side < SIDES; side++) {
      cg2p_sourcelines_free(&likeness->texts[side]);
      free(likeness->sorted[side].of);
   }
   free(likeness->alike.of);
}
