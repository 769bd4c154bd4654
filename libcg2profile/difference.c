/* What differs between the rows of two profiles.
 *
 * Both sides are brought into the order of their keys. A *group* is the rows
 * that have all keys but the last in common: one walk finds the groups of both,
 * and one walk through a group what is in OLD, in NEW or in both. */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

enum { SIDES = 2 }; /* OLD and NEW, in this order */

/* A change, and what it is sorted by first. */
typedef struct Found {
   uint64_t effect;
   cg2p_change change;
} Found;

struct cg2p_difference {
   cg2p_change* changes;
   size_t n;
};

/* A comparison that runs. */
typedef struct Comparing {
   Failure failure;
   cg2p_side sides[SIDES];
   const size_t* order[SIDES]; /* the caller's rows; NULL: they stand so */
   const cg2p_comparison* how;
   unsigned last; /* number of the last key */
   Arena sorted;  /* sides that were brought into order, and their orders */
   Found* found;
   size_t n, room;
} Comparing;

/* The rows of a group in one side, from `from` up to `to`; and their last keys,
 * which are borrowed. */
typedef struct Group {
   const uint64_t* key;
   size_t from, to;
} Group;

/* By how much the last keys of OLD's rows are moved. */
typedef struct Shift {
   uint64_t by;
   bool is_down; /* to smaller keys */
} Shift;

static uint64_t distance(uint64_t a, uint64_t b)
{
   return a < b ? b - a : a - b;
}

/*--- Effects ------------------------------------------------------------*/

static uint64_t add_up_to_most(uint64_t a, uint64_t b)
{
   uint64_t sum;
   return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t multiply_up_to_most(uint64_t a, uint64_t b)
{
   uint64_t product;
   return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static const uint64_t* cost_of(const Comparing* c, int side, size_t row)
{
   if (row == CG2P_NO_ROW) return NULL;
   return c->sides[side].costs + row * c->how->n_events;
}

static uint64_t effect_of(const Comparing* c, const cg2p_change* change)
{
   const uint64_t* old = cost_of(c, 0, change->old_row);
   const uint64_t* new = cost_of(c, 1, change->new_row);
   uint64_t up = 0, down = 0;
   for (uint32_t i = 0; i < c->how->n_events; i++) {
      uint64_t before = old ? old[i] : 0, now = new ? new[i] : 0;
      int64_t factor = c->how->factors[i];
      uint64_t times = factor < 0 ? -(uint64_t)factor : (uint64_t)factor;
      uint64_t part = multiply_up_to_most(distance(before, now), times);
      uint64_t* sum = (now < before) == (factor < 0) ? &up : &down;
      *sum = add_up_to_most(*sum, part);
   }
   return distance(up, down);
}

static uint64_t count_of(const cg2p_side* side, size_t row)
{
   return side->counts && row != CG2P_NO_ROW ? side->counts[row] : 0;
}

static uint64_t count_effect_of(const Comparing* c, const cg2p_change* change)
{
   return distance(count_of(&c->sides[0], change->old_row),
                   count_of(&c->sides[1], change->new_row));
}

/*--- Order --------------------------------------------------------------*/

static uint64_t
key_of(const Comparing* c, const cg2p_change* change, unsigned key)
{
   return change->new_row == CG2P_NO_ROW
             ? c->sides[0].keys[key][change->old_row]
             : c->sides[1].keys[key][change->new_row];
}

/* Added, changed, removed. */
static int kind_of(const cg2p_change* change)
{
   return change->old_row == CG2P_NO_ROW   ? 0
          : change->new_row == CG2P_NO_ROW ? 2
                                           : 1;
}

static int compare_found(const void* a, const void* b, void* comparing)
{
   const Comparing* c = comparing;
   const Found *x = a, *y = b;
   int order = cg2p_compare_numbers(y->effect, x->effect);
   if (!order)
      order = cg2p_compare_numbers(count_effect_of(c, &y->change),
                                   count_effect_of(c, &x->change));
   for (unsigned key = 0; !order && key <= c->last; key++)
      order = cg2p_compare_numbers(key_of(c, &x->change, key),
                                   key_of(c, &y->change, key));
   return order ? order : kind_of(&x->change) - kind_of(&y->change);
}

/*--- Lines that move ----------------------------------------------------*/

static Shift shift_from(uint64_t old, uint64_t new)
{
   return (Shift){distance(old, new), new < old};
}

/* Whether a key of OLD, once it is moved, stands before one of NEW. */
static int compare_moved(uint64_t old, uint64_t new, Shift shift)
{
   if (shift.is_down)
      return old < shift.by ? -1 : cg2p_compare_numbers(old - shift.by, new);
   return new < shift.by ? 1 : cg2p_compare_numbers(old, new - shift.by);
}

static bool cost_same(const Comparing* c, size_t old, size_t new)
{
   size_t size = c->how->n_events * sizeof(uint64_t);
   return !memcmp(cost_of(c, 0, old), cost_of(c, 1, new), size);
}

/* How well rows fit: how many cost the same, and how many meet a row. */
typedef struct Fit {
   size_t same, met;
} Fit;

static Fit
fit_of(const Comparing* c, const Group* old, const Group* new, Shift shift)
{
   Fit fit = {0};
   for (size_t a = old->from, b = new->from; a < old->to &&b < new->to;) {
      int order = compare_moved(old->key[a], new->key[b], shift);
      fit.met += order == 0;
      fit.same += order == 0 && cost_same(c, a, b);
      a += order <= 0;
      b += order >= 0;
   }
   return fit;
}

/* The shift that fits best; not to move anything, if others fit no better. */
static Shift find_shift(const Comparing* c, const Group* old, const Group* new)
{
   Shift best = {0};
   if (old->from == old->to || new->from == new->to) return best;
   Shift candidates[] = {
      shift_from(old->key[old->from], new->key[new->from]),
      shift_from(old->key[old->to - 1], new->key[new->to - 1]),
   };
   enum { CANDIDATES = sizeof candidates / sizeof *candidates };
   Fit most = fit_of(c, old, new, best);
   for (int i = 0; i < CANDIDATES; i++) {
      if (!candidates[i].by) continue;
      Fit fit = fit_of(c, old, new, candidates[i]);
      if (fit.same < most.same ||
          (fit.same == most.same && fit.met <= most.met))
         continue;
      most = fit;
      best = candidates[i];
   }
   return best;
}

/*--- Comparing ----------------------------------------------------------*/

static void add_change(Comparing* c, size_t old, size_t new)
{
   cg2p_change change = {old, new};
   c->found =
      cg2p_grow(&c->failure, c->found, &c->room, c->n + 1, sizeof *c->found);
   c->found[c->n++] = (Found){effect_of(c, &change), change};
}

static void compare_rows(Comparing* c, size_t old, size_t new)
{
   if (!cost_same(c, old, new) ||
       count_of(&c->sides[0], old) != count_of(&c->sides[1], new))
      add_change(c, old, new);
}

static void compare_group(Comparing* c, const Group* old, const Group* new)
{
   Shift shift = {0};
   if (c->how->lines_move) shift = find_shift(c, old, new);
   for (size_t a = old->from, b = new->from; a < old->to || b < new->to;) {
      int order = a == old->to ? 1
                  : b == new->to
                     ? -1
                     : compare_moved(old->key[a], new->key[b], shift);
      if (order < 0) add_change(c, a, CG2P_NO_ROW);
      if (order > 0) add_change(c, CG2P_NO_ROW, b);
      if (order == 0) compare_rows(c, a, b);
      a += order <= 0;
      b += order >= 0;
   }
}

/* Compares two rows, or ends of sides, by all keys but the last. */
static int compare_groups(const Comparing* c,
                          const cg2p_side* a,
                          size_t a_row,
                          const cg2p_side* b,
                          size_t b_row)
{
   int order = (a_row == a->n) - (b_row == b->n);
   if (order || a_row == a->n) return order;
   for (unsigned key = 0; !order && key < c->last; key++)
      order = cg2p_compare_numbers(a->keys[key][a_row], b->keys[key][b_row]);
   return order;
}

/* The group that begins at a row. */
static Group group_from(const Comparing* c, int side, size_t row)
{
   const cg2p_side* rows = &c->sides[side];
   Group group = {rows->keys[c->last], row, row};
   while (group.to < rows->n && !compare_groups(c, rows, row, rows, group.to))
      group.to++;
   return group;
}

/* The group without what is no line. */
static Group lines_of(const Comparing* c, Group group)
{
   if (c->how->lines_move && group.from < group.to && !group.key[group.from])
      group.from++;
   return group;
}

static void compare_sides(Comparing* c)
{
   const cg2p_side *old = &c->sides[0], *new = &c->sides[1];
   for (size_t a = 0, b = 0; a < old->n || b < new->n;) {
      int order = compare_groups(c, old, a, new, b);
      Group old_group = {.from = a, .to = a}, new_group = {.from = b, .to = b};
      if (order <= 0) old_group = group_from(c, 0, a);
      if (order >= 0) new_group = group_from(c, 1, b);
      a = old_group.to;
      b = new_group.to;
      old_group = lines_of(c, old_group);
      new_group = lines_of(c, new_group);
      compare_group(c, &old_group, &new_group);
   }
}

/*--- Rows in order ------------------------------------------------------*/

typedef struct Sorting {
   const cg2p_side* side;
   unsigned last;
} Sorting;

static int compare_keys(const void* a, const void* b, void* sorting)
{
   const Sorting* s = sorting;
   size_t x = *(const size_t*)a, y = *(const size_t*)b;
   int order = 0;
   for (unsigned key = 0; !order && key <= s->last; key++)
      order =
         cg2p_compare_numbers(s->side->keys[key][x], s->side->keys[key][y]);
   return order;
}

static bool is_in_order(Sorting* sorting)
{
   for (size_t i = 1; i < sorting->side->n; i++) {
      size_t before = i - 1;
      if (compare_keys(&before, &i, sorting) > 0) return false;
   }
   return true;
}

/* Each row of `width` numbers in its place. */
static const uint64_t* put_in_order(Comparing* c,
                                    const uint64_t* numbers,
                                    const size_t* order,
                                    size_t n,
                                    size_t width)
{
   uint64_t* sorted =
      cg2p_arena_add(&c->sorted, &c->failure, n * width * sizeof *sorted);
   for (size_t i = 0; i < n; i++)
      memcpy(sorted + i * width, numbers + order[i] * width,
             width * sizeof *sorted);
   return sorted;
}

static void sort_side(Comparing* c, int number)
{
   cg2p_side* side = &c->sides[number];
   Sorting sorting = {side, c->last};
   if (is_in_order(&sorting)) return;
   size_t n = side->n;
   size_t* order = cg2p_arena_add(&c->sorted, &c->failure, n * sizeof *order);
   for (size_t i = 0; i < n; i++)
      order[i] = i;
   qsort_r(order, n, sizeof *order, compare_keys, &sorting);
   for (unsigned key = 0; key <= c->last; key++)
      side->keys[key] = put_in_order(c, side->keys[key], order, n, 1);
   if (side->counts) side->counts = put_in_order(c, side->counts, order, n, 1);
   side->costs = put_in_order(c, side->costs, order, n, c->how->n_events);
   c->order[number] = order;
}

static size_t row_as_given(const Comparing* c, int side, size_t row)
{
   const size_t* order = c->order[side];
   return order && row != CG2P_NO_ROW ? order[row] : row;
}

/*--- The operation ------------------------------------------------------*/

static cg2p_difference* take_changes(Comparing* c)
{
   cg2p_difference* made = cg2p_allocate(&c->failure, sizeof *made);
   made->changes = malloc(c->n * sizeof *made->changes + 1);
   if (!made->changes) {
      free(made);
      cg2p_fail_memory(&c->failure, c->n * sizeof *made->changes);
   }
   made->n = c->n;
   for (size_t i = 0; i < c->n; i++)
      made->changes[i] = (cg2p_change){
         row_as_given(c, 0, c->found[i].change.old_row),
         row_as_given(c, 1, c->found[i].change.new_row),
      };
   return made;
}

static cg2p_difference* run(Comparing* c)
{
   if (setjmp(c->failure.caught)) return NULL;
   for (int side = 0; side < SIDES; side++)
      sort_side(c, side);
   compare_sides(c);
   if (c->n) qsort_r(c->found, c->n, sizeof *c->found, compare_found, c);
   return take_changes(c);
}

/* A side without rows may have none. */
static unsigned count_keys(const cg2p_side* side)
{
   unsigned n = 0;
   while (n < CG2P_SIDE_KEYS && side->keys[n])
      n++;
   return n;
}

cg2p_difference* cg2p_compare(const cg2p_side* old_side,
                              const cg2p_side* new_side,
                              const cg2p_comparison* how,
                              cg2p_error* error)
{
   unsigned n_keys = count_keys(old_side->n ? old_side : new_side);
   Comparing comparing = {
      .failure = {.path = "the difference", .error = error},
      .sides = {*old_side, *new_side},
      .how = how,
      .last = n_keys ? n_keys - 1 : 0,
   };
   cg2p_difference* made = run(&comparing);
   free(comparing.found);
   cg2p_arena_free(&comparing.sorted);
   return made;
}

size_t cg2p_change_count(const cg2p_difference* difference)
{
   return difference->n;
}

const cg2p_change* cg2p_changes(const cg2p_difference* difference)
{
   return difference->changes;
}

void cg2p_difference_free(cg2p_difference* difference)
{
   if (!difference) return;
   free(difference->changes);
   free(difference);
}
