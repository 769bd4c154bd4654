#include "ask/pairing.h"
#include "base/search.h"

#include <stdlib.h>

static bool are_in_both(const Group groups[SIDES])
{
   return cg2p_groups_count_rows(&groups[0]) &&
          cg2p_groups_count_rows(&groups[1]);
}

/* Whether groups that are in both sides have the same last keys. */
static bool have_same_keys(const Group groups[SIDES])
{
   const Group *old = &groups[0], *new = &groups[1];
   size_t n = cg2p_groups_count_rows(old);
   return n == cg2p_groups_count_rows(new) &&
          !memcmp(old->key + old->from, new->key + new->from,
                  n * sizeof *old->key);
}

/* The file of OLD's lines: their last key but one. */
static uint64_t file_of(const Pairing* p, const Group groups[SIDES])
{
   unsigned last = p->sides->last;
   return last ? p->sides->of[0].keys[last - 1][groups[0].from] : 0;
}

/*--- Files whose lines have moved ---------------------------------------*/

static void add_number(Pairing* p, List* list, uint64_t number)
{
   list->of = cg2p_memory_grow(p->failure, list->of, &list->room, list->n + 1,
                               sizeof *list->of);
   list->of[list->n++] = number;
}

static int compare_files(const void* a, const void* b)
{
   return cg2p_rows_compare_numbers(*(const uint64_t*)a, *(const uint64_t*)b);
}

static void find_moved_files(Pairing* p)
{
   Group groups[SIDES] = {{0}};
   while (cg2p_groups_next(p->sides, groups))
      if (are_in_both(groups) && !have_same_keys(groups))
         add_number(p, &p->moved, file_of(p, groups));
   if (p->moved.n)
      qsort(p->moved.of, p->moved.n, sizeof *p->moved.of, compare_files);
}

static bool has_moved(const Pairing* p, uint64_t file)
{
   return bsearch(&file, p->moved.of, p->moved.n, sizeof *p->moved.of,
                  compare_files) != NULL;
}

/*--- What groups say ----------------------------------------------------*/

/* Rows of a side, to be sorted by what they cost. */
typedef struct Costs {
   const Sides* sides;
   int side;
} Costs;

/* Any order of costs, as long as it is the same for both sides. */
static int compare_costs(
   const Sides* sides, int a_side, uint64_t a, int b_side, uint64_t b)
{
   return memcmp(cg2p_groups_cost(sides, a_side, a),
                 cg2p_groups_cost(sides, b_side, b),
                 sides->n_events * sizeof(uint64_t));
}

static int compare_rows(const void* a, const void* b, void* costs)
{
   const Costs* c = costs;
   uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
   int order = compare_costs(c->sides, c->side, x, c->side, y);
   return order ? order : cg2p_rows_compare_numbers(x, y);
}

static void sort_by_cost(Pairing* p, const Group* group, int side)
{
   List* rows = &p->by_cost[side];
   rows->n = 0;
   for (size_t row = group->from; row < group->to; row++)
      add_number(p, rows, row);
   qsort_r(rows->of, rows->n, sizeof *rows->of, compare_rows,
           &(Costs){p->sides, side});
}

/* How many of the rows by cost, from `from` on, cost the same. */
static size_t count_alike(const Pairing* p, int side, size_t from)
{
   const List* rows = &p->by_cost[side];
   size_t i = from + 1;
   while (i < rows->n &&
          !compare_costs(p->sides, side, rows->of[from], side, rows->of[i]))
      i++;
   return i - from;
}

/* How many votes there are for a line that costs what it did, and for one that
 * stands where it did: most costs are a function's own, but a small one may
 * occur twice. */
enum { COSTS_SAME = 2, STANDS_SAME = 1 };

/* Votes that lines of which both sides have as many at one cost are the same
 * lines, in their order. */
static void vote_by_cost(Pairing* p, const Group groups[SIDES], uint64_t file)
{
   const List *old = &p->by_cost[0], *new = &p->by_cost[1];
   for (int side = 0; side < SIDES; side++)
      sort_by_cost(p, &groups[side], side);
   for (size_t a = 0, b = 0; a < old->n && b < new->n;) {
      int order = compare_costs(p->sides, 0, old->of[a], 1, new->of[b]);
      size_t n = order <= 0 ? count_alike(p, 0, a) : 0;
      size_t m = order >= 0 ? count_alike(p, 1, b) : 0;
      for (size_t i = 0; n == m && i < n; i++)
         cg2p_movedlines_vote(&p->moves, p->failure, file,
                              groups[0].key[old->of[a + i]],
                              groups[1].key[new->of[b + i]], COSTS_SAME);
      a += n;
      b += m;
   }
}

/* Votes that lines which both sides have are the same. */
static void vote_by_line(Pairing* p, const Group groups[SIDES], uint64_t file)
{
   const Group *old = &groups[0], *new = &groups[1];
   for (size_t a = old->from, b = new->from; a < old->to &&b < new->to;) {
      int order = cg2p_rows_compare_numbers(old->key[a], new->key[b]);
      if (!order)
         cg2p_movedlines_vote(&p->moves, p->failure, file, old->key[a],
                              old->key[a], STANDS_SAME);
      a += order <= 0;
      b += order >= 0;
   }
}

void cg2p_pairing_begin(Pairing* p, Failure* failure, const Sides* sides)
{
   Group groups[SIDES] = {{0}};
   p->failure = failure;
   p->sides = sides;
   if (sides->lines_move) find_moved_files(p);
   if (!p->moved.n) return;
   cg2p_movedlines_begin(&p->moves);
   while (cg2p_groups_next(sides, groups)) {
      if (!are_in_both(groups)) continue;
      uint64_t file = file_of(p, groups);
      if (!has_moved(p, file)) continue;
      vote_by_cost(p, groups, file);
      vote_by_line(p, groups, file);
   }
   cg2p_movedlines_decide(&p->moves, failure);
}

/*--- Trying ways to pair ------------------------------------------------*/

static void begin_pairs(Pairing* p, const Group* old)
{
   Pairs* tried = &p->tried;
   tried->of = cg2p_memory_grow(p->failure, tried->of, &tried->room,
                                cg2p_groups_count_rows(old), sizeof *tried->of);
   tried->fit = 0;
}

/* Pairs a row of OLD with one of NEW or with none. */
static void pair_row(Pairing* p, const Group* old, size_t a, size_t b)
{
   Pairs* tried = &p->tried;
   tried->of[a - old->from] = b;
   if (b == CG2P_NO_ROW) return;
   tried->fit += cg2p_groups_have_same_cost(p->sides, a, b) ? 2 : 1;
}

static void keep(Pairing* p)
{
   Pairs tried = p->tried;
   p->tried = p->best;
   p->best = tried;
}

static void keep_better(Pairing* p)
{
   if (p->tried.fit > p->best.fit) keep(p);
}

/*--- All lines by the same distance -------------------------------------*/

/* By how much the last keys of OLD's rows are moved. */
typedef struct Shift {
   uint64_t by;
   bool is_down; /* to smaller keys */
} Shift;

static Shift shift_from(uint64_t old, uint64_t new)
{
   return (Shift){old < new ? new - old : old - new, new < old};
}

/* Whether a key of OLD, once it is moved, stands before one of NEW. */
static int compare_moved(uint64_t old, uint64_t new, Shift shift)
{
   if (shift.is_down)
      return old < shift.by ? -1
                            : cg2p_rows_compare_numbers(old - shift.by, new);
   return new < shift.by ? 1 : cg2p_rows_compare_numbers(old, new - shift.by);
}

static void try_shift(Pairing* p, const Group groups[SIDES], Shift shift)
{
   const Group *old = &groups[0], *new = &groups[1];
   size_t b = new->from;
   begin_pairs(p, old);
   for (size_t a = old->from; a < old->to; a++) {
      int order = -1;
      for (; b < new->to; b++) {
         order = compare_moved(old->key[a], new->key[b], shift);
         if (order <= 0) break;
      }
      pair_row(p, old, a, b < new->to && !order ? b++ : CG2P_NO_ROW);
   }
}

/*--- Lines as those of their file ---------------------------------------*/

/* Where a line stands that is as far behind an anchor as before, or as far in
 * front of it; 0: nowhere. */
static uint64_t moved_with(Anchor anchor, uint64_t line)
{
   uint64_t moved, front = anchor.old - line;
   if (line < anchor.old) return anchor.new > front ? anchor.new - front : 0;
   bool is_large =
      __builtin_add_overflow(anchor.new, line - anchor.old, &moved);
   return is_large ? 0 : moved;
}

/* The row from `from` on in which a group has a line, or CG2P_NO_ROW. */
static size_t find_line(const Group* group, size_t from, uint64_t line)
{
   size_t row = cg2p_search_first(i, from, group->to, group->key[i] < line);
   return row < group->to && group->key[row] == line ? row : CG2P_NO_ROW;
}

/* How many anchors stand up to a line of OLD. */
static size_t count_anchors(const Anchors* anchors, uint64_t line)
{
   return cg2p_search_first(i, 0, anchors->n, anchors->of[i].old <= line);
}

/* Which of the anchors around a line it has moved with, if both is possible. */
typedef enum Side { BEFORE, BEHIND } Side;

/* The row of NEW from `from` on where a line of OLD is: that of its anchor, or
 * between the anchors around it, as far from one of them as before. The file's
 * beginning is an anchor. */
static size_t find_moved(const Group* new,
                         size_t from,
                         const Anchors* anchors,
                         uint64_t line,
                         Side preferred)
{
   size_t n = count_anchors(anchors, line);
   Anchor before = n ? anchors->of[n - 1] : (Anchor){0, 0};
   if (before.old == line) return find_line(new, from, before.new);
   bool is_last = n == anchors->n;
   Anchor behind = is_last ? before : anchors->of[n];
   uint64_t end = is_last ? UINT64_MAX : behind.new - 1;
   uint64_t moved[] = {moved_with(before, line), moved_with(behind, line)};
   for (int i = 0; i < 2; i++) {
      uint64_t to = moved[i ? !preferred : preferred];
      if (to <= before.new || to > end) continue;
      size_t row = find_line(new, from, to);
      if (row != CG2P_NO_ROW) return row;
   }
   return CG2P_NO_ROW;
}

static void try_anchors(Pairing* p,
                        const Group groups[SIDES],
                        const Anchors* anchors,
                        Side preferred)
{
   const Group *old = &groups[0], *new = &groups[1];
   size_t next = new->from;
   begin_pairs(p, old);
   for (size_t a = old->from; a < old->to; a++) {
      size_t b = find_moved(new, next, anchors, old->key[a], preferred);
      pair_row(p, old, a, b);
      if (b != CG2P_NO_ROW) next = b + 1;
   }
}

/*--- The best way -------------------------------------------------------*/

/* What the file says comes first; where it says nothing, that is not to move
 * anything. */
static void pair_lines(Pairing* p, const Group groups[SIDES])
{
   const Group *old = &groups[0], *new = &groups[1];
   Anchors anchors = cg2p_movedlines_anchors(&p->moves, file_of(p, groups));
   Shift shifts[] = {
      {0},
      shift_from(old->key[old->from], new->key[new->from]),
      shift_from(old->key[old->to - 1], new->key[new->to - 1]),
   };
   try_anchors(p, groups, &anchors, BEFORE);
   keep(p);
   try_anchors(p, groups, &anchors, BEHIND);
   keep_better(p);
   for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
      try_shift(p, groups, shifts[i]);
      keep_better(p);
   }
}

const size_t* cg2p_pairing_pair(Pairing* p, const Group groups[SIDES])
{
   if (p->moved.n && are_in_both(groups) && !have_same_keys(groups)) {
      pair_lines(p, groups);
   } else {
      try_shift(p, groups, (Shift){0});
      keep(p);
   }
   return p->best.of;
}

void cg2p_pairing_free(Pairing* p)
{
   cg2p_movedlines_free(&p->moves);
   free(p->moved.of);
   for (int side = 0; side < SIDES; side++)
      free(p->by_cost[side].of);
   free(p->best.of);
   free(p->tried.of);
}
