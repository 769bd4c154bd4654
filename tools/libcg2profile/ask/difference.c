/* What differs between the rows of two profiles.
 *
 * Both sides are brought into the order of their keys. One walk finds the
 * groups of both, and one walk through a group what is in OLD, in NEW or in
 * both. */
#include "ask/pairing.h"
#include "base/radix.h"

#include <stdlib.h>

/* A change, and what it is sorted by first. */
typedef struct FoundChange {
   uint64_t effect;
   cg2p_change change;
} FoundChange;

struct cg2p_difference {
   cg2p_change* changes;
   size_t n;
};

/* A comparison that runs. */
typedef struct Comparing {
   Failure failure;
   Sides sides;
   const size_t* order[SIDES]; /* the caller's rows; NULL: they stand so */
   const int64_t* factors;
   cg2p_lines lines[SIDES]; /* the caller's */
   Arena sorted; /* sides that were brought into order, and their orders */
   Pairing pairing;
   FoundChange* found;
   size_t n, room;
} Comparing;

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

static uint64_t effect_of(const Comparing* c, const cg2p_change* change)
{
   const uint64_t* old = cg2p_groups_cost(&c->sides, 0, change->old_row);
   const uint64_t* new = cg2p_groups_cost(&c->sides, 1, change->new_row);
   uint64_t up = 0, down = 0;
   for (uint32_t i = 0; i < c->sides.n_events; i++) {
      uint64_t before = old ? old[i] : 0, now = new ? new[i] : 0;
      int64_t factor = c->factors[i];
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
   return distance(count_of(&c->sides.of[0], change->old_row),
                   count_of(&c->sides.of[1], change->new_row));
}

/*--- Order --------------------------------------------------------------*/

static uint64_t
key_of(const Comparing* c, const cg2p_change* change, unsigned key)
{
   return change->new_row == CG2P_NO_ROW
             ? c->sides.of[0].keys[key][change->old_row]
             : c->sides.of[1].keys[key][change->new_row];
}

/* Added, changed, removed. */
static int kind_of(const cg2p_change* change)
{
   return change->old_row == CG2P_NO_ROW   ? 0
          : change->new_row == CG2P_NO_ROW ? 2
                                           : 1;
}

static uint64_t greatest(const uint64_t* numbers, size_t n)
{
   uint64_t most = 0;
   for (size_t i = 0; i < n; i++)
      if (numbers[i] > most) most = numbers[i];
   return most;
}

/* Puts numbers of changes in order by a number of each. */
static void sort_by(size_t* order, size_t n, const uint64_t* numbers)
{
   cg2p_radix_sort(order, order + n, n, numbers);
}

static void sort_falling(size_t* order, size_t n, uint64_t* numbers)
{
   uint64_t most = greatest(numbers, n);
   for (size_t i = 0; i < n; i++)
      numbers[i] = most - numbers[i];
   sort_by(order, n, numbers);
}

/* The changes by effect, the largest first, then by effect on counts, by keys,
 * and by kind: what is compared last is sorted by first. */
static const size_t* order_found(Comparing* c)
{
   size_t n = c->n;
   const FoundChange* found = c->found;
   size_t* order =
      cg2p_arena_add(&c->sorted, &c->failure, 2 * n * sizeof *order);
   uint64_t* by = cg2p_arena_add(&c->sorted, &c->failure, n * sizeof *by);
   for (size_t i = 0; i < n; i++) {
      order[i] = i;
      by[i] = kind_of(&found[i].change);
   }
   sort_by(order, n, by);
   for (unsigned key = c->sides.last + 1; key-- > 0;) {
      for (size_t i = 0; i < n; i++)
         by[i] = key_of(c, &found[i].change, key);
      sort_by(order, n, by);
   }
   for (size_t i = 0; i < n; i++)
      by[i] = count_effect_of(c, &found[i].change);
   sort_falling(order, n, by);
   for (size_t i = 0; i < n; i++)
      by[i] = found[i].effect;
   sort_falling(order, n, by);
   return order;
}

/*--- Comparing ----------------------------------------------------------*/

static void add_change(Comparing* c, size_t old, size_t new)
{
   cg2p_change change = {old, new};
   c->found = cg2p_memory_grow(&c->failure, c->found, &c->room, c->n + 1,
                               sizeof *c->found);
   c->found[c->n++] = (FoundChange){effect_of(c, &change), change};
}

static void compare_rows(Comparing* c, size_t old, size_t new)
{
   if (!cg2p_groups_have_same_cost(&c->sides, old, new) ||
       count_of(&c->sides.of[0], old) != count_of(&c->sides.of[1], new))
      add_change(c, old, new);
}

static void compare_groups(Comparing* c, const Group groups[SIDES])
{
   const Group *old = &groups[0], *new = &groups[1];
   const size_t* pair = c->pairing.of;
   size_t next = new->from; /* NEW's rows before are done */
   for (size_t row = old->from; row < old->to; row++) {
      size_t other = pair[row];
      if (other == CG2P_NO_ROW) {
         add_change(c, row, CG2P_NO_ROW);
         continue;
      }
      while (next < other)
         add_change(c, CG2P_NO_ROW, next++);
      compare_rows(c, row, next++);
   }
   while (next < new->to)
      add_change(c, CG2P_NO_ROW, next++);
}

static void compare_sides(Comparing* c)
{
   Group groups[SIDES] = {{0}};
   cg2p_pairing_make(&c->pairing, &c->failure, &c->sides);
   while (cg2p_groups_next(&c->sides, groups))
      compare_groups(c, groups);
}

/*--- Rows in order ------------------------------------------------------*/

static bool is_in_order(const cg2p_side* side, unsigned last)
{
   for (size_t i = 1; i < side->n; i++) {
      int order = 0;
      for (unsigned key = 0; !order && key <= last; key++)
         order = cg2p_rows_compare_numbers(side->keys[key][i - 1],
                                           side->keys[key][i]);
      if (order > 0) return false;
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
   cg2p_side* side = &c->sides.of[number];
   if (is_in_order(side, c->sides.last)) return;
   size_t n = side->n;
   size_t* order = cg2p_arena_add(&c->sorted, &c->failure, n * sizeof *order);
   size_t* spare = cg2p_arena_add(&c->sorted, &c->failure, n * sizeof *spare);
   for (size_t i = 0; i < n; i++)
      order[i] = i;
   for (unsigned key = c->sides.last + 1; key-- > 0;)
      cg2p_radix_sort(order, spare, n, side->keys[key]);
   for (unsigned key = 0; key <= c->sides.last; key++)
      side->keys[key] = put_in_order(c, side->keys[key], order, n, 1);
   if (side->counts) side->counts = put_in_order(c, side->counts, order, n, 1);
   side->costs = put_in_order(c, side->costs, order, n, c->sides.n_events);
   c->order[number] = order;
}

static size_t row_as_given(const Comparing* c, int side, size_t row)
{
   const size_t* order = c->order[side];
   return order && row != CG2P_NO_ROW ? order[row] : row;
}

/*--- Calls on lines -----------------------------------------------------*/

/* Compares a row with the one that a call stands in. */
static int compare_with_call(const cg2p_side* side,
                             size_t row,
                             const cg2p_line_calls* calls,
                             size_t call)
{
   const uint64_t* of_call[] = {calls->functions, calls->files, calls->lines};
   int order = 0;
   for (unsigned key = 0; !order && key < CG2P_SIDE_KEYS; key++)
      order =
         cg2p_rows_compare_numbers(side->keys[key][row], of_call[key][call]);
   return order;
}

/* What rows call. */
static void find_calls(Comparing* c, int number, const cg2p_line_calls* calls)
{
   const cg2p_side* side = &c->sides.of[number];
   if (!calls || c->sides.last + 1 < CG2P_SIDE_KEYS) return;
   size_t bytes = side->n * sizeof(LineCalls), row = 0;
   LineCalls* found = cg2p_arena_add(&c->sorted, &c->failure, bytes);
   memset(found, 0, bytes);
   for (size_t i = 0; i < calls->n; i++) {
      uint64_t call[] = {calls->targets[i], calls->counts[i]};
      while (row < side->n && compare_with_call(side, row, calls, i) < 0)
         row++;
      if (row == side->n || compare_with_call(side, row, calls, i)) continue;
      found[row].functions += cg2p_hash_numbers(call, 1) + 1ull;
      found[row].times += cg2p_hash_numbers(call, 2) + 1ull;
   }
   c->sides.calls[number] = found;
}

/*--- The operation ------------------------------------------------------*/

static cg2p_difference* take_changes(Comparing* c)
{
   const size_t* order = order_found(c);
   cg2p_difference* made = cg2p_memory_allocate(&c->failure, sizeof *made);
   made->changes = malloc(c->n * sizeof *made->changes + 1);
   if (!made->changes) {
      free(made);
      cg2p_failure_memory(&c->failure, c->n * sizeof *made->changes);
   }
   made->n = c->n;
   for (size_t i = 0; i < c->n; i++) {
      const cg2p_change* change = &c->found[order[i]].change;
      made->changes[i] = (cg2p_change){
         row_as_given(c, 0, change->old_row),
         row_as_given(c, 1, change->new_row),
      };
   }
   return made;
}

static cg2p_difference* run(Comparing* c)
{
   if (setjmp(c->failure.caught)) return NULL;
   for (int side = 0; side < SIDES; side++) {
      sort_side(c, side);
      find_calls(c, side, c->lines[side].calls);
   }
   compare_sides(c);
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

/* The number of the last key of two sides. */
static unsigned last_key_of(const cg2p_side* old_side,
                            const cg2p_side* new_side)
{
   unsigned n = count_keys(old_side->n ? old_side : new_side);
   return n ? n - 1 : 0;
}

cg2p_difference* cg2p_difference_new_of_lines(const cg2p_lines* old_lines,
                                              const cg2p_lines* new_lines,
                                              const cg2p_comparison* how,
                                              cg2p_error* error)
{
   const cg2p_side *old_side = &old_lines->side, *new_side = &new_lines->side;
   Comparing comparing = {
      .failure = {.path = "the difference", .error = error},
      .sides = {.of = {*old_side, *new_side},
                .n_events = how->n_events,
                .last = last_key_of(old_side, new_side),
                .sources = {old_lines->sources, new_lines->sources},
                .n_sources = old_lines->n_sources < new_lines->n_sources
                                ? old_lines->n_sources
                                : new_lines->n_sources,
                .lines_move = how->lines_move},
      .factors = how->factors,
      .lines = {*old_lines, *new_lines},
   };
   cg2p_difference* made = run(&comparing);
   free(comparing.found);
   cg2p_pairing_free(&comparing.pairing);
   cg2p_arena_free(&comparing.sorted);
   return made;
}

cg2p_difference* cg2p_difference_new(const cg2p_side* old_side,
                                     const cg2p_side* new_side,
                                     const cg2p_comparison* how,
                                     cg2p_error* error)
{
   cg2p_lines old_lines = {.side = *old_side}, new_lines = {.side = *new_side};
   return cg2p_difference_new_of_lines(&old_lines, &new_lines, how, error);
}

void cg2p_difference_mark_moved(const cg2p_side* old_side,
                                const cg2p_side* new_side,
                                uint8_t* moved)
{
   const Sides sides = {.of = {*old_side, *new_side},
                        .last = last_key_of(old_side, new_side),
                        .lines_move = true};
   cg2p_pairing_mark_moved(&sides, moved);
}

size_t cg2p_difference_change_count(const cg2p_difference* difference)
{
   return difference->n;
}

const cg2p_change* cg2p_difference_changes(const cg2p_difference* difference)
{
   return difference->changes;
}

void cg2p_difference_free(cg2p_difference* difference)
{
   if (!difference) return;
   free(difference->changes);
   free(difference);
}
