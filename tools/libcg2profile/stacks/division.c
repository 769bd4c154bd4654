#include "stacks/division.h"

#include <stdlib.h>
#include <string.h>

/* A share as a weight: a whole number. */
static uint64_t weight_of(double share)
{
   return share * 0x1p60;
}

/*--- Whole numbers in proportion to weights -----------------------------*/

/* Portions add up to a given amount. What division leaves over goes to the
 * largest remainders, by one each; to the first ones of those that are equal.
 *
 * What division alone makes of the portion of an item, and in *left what it
 * leaves. `sum` is that of all weights, above 0. */
static uint64_t
divide(uint64_t amount, uint64_t weight, uint64_t sum, uint64_t* left)
{
   unsigned __int128 product = (unsigned __int128)amount * weight;
   uint64_t quotient = product / sum;
   *left = (uint64_t)product - quotient * sum;
   return quotient;
}

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

/* Finds who gets one more, where division left `n` remainders, which are put
 * into another order, and `over` of the amount, at most n. */
static Cut cut_remainders(Remainder* remainders, uint32_t n, uint64_t over)
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

/* Whether an item gets one more. */
static bool gets_more(Cut cut, uint64_t left, uint32_t item)
{
   return left > cut.left || (left == cut.left && item <= cut.item);
}

/*--- Places -------------------------------------------------------------*/

static void read_places_by_line(Maker* m)
{
   cg2p_stacks* made = m->made;
   Division* division = &made->division;
   division->ranks = cg2p_names_ranks(&made->profile->names, &m->failure);
   cg2p_question question = {.kind = CG2P_COST,
                             .keys =
                                CG2P_BY_FUNCTION | CG2P_BY_FILE | CG2P_BY_LINE,
                             .file_as = division->ranks};
   size_t n_names = made->profile->names.n;
   division->by_rank =
      cg2p_memory_allocate(&m->failure, n_names * sizeof *division->by_rank);
   for (size_t i = 0; i < n_names; i++)
      division->by_rank[division->ranks[i]] = i;
   division->table =
      cg2p_table_new(made->profile, m->part, &question, m->failure.error);
   if (!division->table) longjmp(m->failure.caught, 1);
   division->costs = cg2p_table_costs(division->table);
   const uint64_t* functions =
      cg2p_table_keys(division->table, CG2P_BY_FUNCTION);
   for (size_t i = 0; i < cg2p_table_row_count(division->table); i++)
      division->first[functions[i] + 1]++;
   for (size_t i = 0; i < m->part->n_functions; i++)
      division->first[i + 1] += division->first[i];
}

static void read_places(Maker* m)
{
   Division* division = &m->made->division;
   size_t n = m->part->n_functions;
   division->first =
      cg2p_memory_allocate(&m->failure, (n + 1) * sizeof *division->first);
   if (m->by_line) {
      read_places_by_line(m);
      return;
   }
   for (size_t i = 0; i <= n; i++)
      division->first[i] = i;
   division->costs = m->part->self;
}

/*--- Their costs, divided -----------------------------------------------*/

/* Collects the stacks of a function. */
static void collect_stacks(Maker* m, uint32_t function)
{
   uint32_t n = m->rows[function].n, i = 0;
   m->divided.stacks =
      cg2p_memory_grow(&m->failure, m->divided.stacks, &m->divided.stacks_room,
                       n, sizeof *m->divided.stacks);
   m->divided.weights =
      cg2p_memory_grow(&m->failure, m->divided.weights,
                       &m->divided.weights_room, n, sizeof *m->divided.weights);
   m->divided.remainders = cg2p_memory_grow(&m->failure, m->divided.remainders,
                                            &m->divided.remainders_room, n,
                                            sizeof *m->divided.remainders);
   for (uint32_t stack = m->rows[function].first; stack != CG2P_NONE;
        stack = m->made->origins[stack].next)
      m->divided.stacks[i++] = stack;
}

/* Sets the weights of `n` stacks, and returns their sum; 0: none has one. */
static uint64_t weigh(Maker* m, uint32_t n, uint32_t event)
{
   const cg2p_stacks* made = m->made;
   uint64_t sum = 0;
   for (uint32_t i = 0; i < n; i++) {
      uint32_t share = made->origins[m->divided.stacks[i]].share;
      m->divided.weights[i] =
         weight_of(made->shares[(size_t)share * m->part->n_events + event]);
      sum += m->divided.weights[i];
   }
   return sum;
}

static uint64_t* inclusive_of(const Maker* m, uint32_t stack)
{
   return m->made->inclusive + (size_t)stack * m->part->n_events;
}

/* Adds their parts of a cost to what `n` stacks cost. */
static Cut
divide_cost(Maker* m, uint32_t n, uint32_t event, uint64_t amount, uint64_t sum)
{
   uint64_t over = amount;
   if (!amount) return cut_remainders(NULL, 0, 0);
   for (uint32_t i = 0; i < n; i++) {
      uint64_t piece = divide(amount, sum ? m->divided.weights[i] : 1,
                              sum ? sum : n, &m->divided.remainders[i].left);
      m->divided.remainders[i].item = i;
      inclusive_of(m, m->divided.stacks[i])[event] += piece;
      over -= piece;
   }
   Cut cut = cut_remainders(m->divided.remainders, n, over);
   for (uint32_t i = 0; i < over; i++)
      inclusive_of(m,
                   m->divided.stacks[m->divided.remainders[i].item])[event]++;
   return cut;
}

/* Divides what a function costs among its stacks, which are several. */
static void divide_function(Maker* m, uint32_t function)
{
   Division* division = &m->made->division;
   uint32_t n = m->rows[function].n;
   size_t width = m->part->n_events, first = division->first[function],
          n_places = division->first[function + 1] - first;
   collect_stacks(m, function);
   division->cuts = cg2p_memory_grow(
      &m->failure, division->cuts, &division->cuts_room,
      division->n_cuts + n_places * width, sizeof *division->cuts);
   Cut* cuts = division->cuts + division->n_cuts;
   division->n_cuts += n_places * width;
   for (uint32_t event = 0; event < width; event++) {
      uint64_t sum = weigh(m, n, event);
      division->sums[function * width + event] = sum;
      for (size_t i = 0; i < n_places; i++) {
         uint64_t amount = division->costs[(first + i) * width + event];
         cuts[i * width + event] = divide_cost(m, n, event, amount, sum);
      }
   }
}

/* Gives a function's only stack all that the function costs. */
static void give_all(Maker* m, uint32_t function)
{
   uint64_t* cost = inclusive_of(m, m->rows[function].first);
   memcpy(cost, cg2p_part_self(m->part, function),
          m->part->n_events * sizeof *cost);
}

/* Adds to each stack's cost that of its callees'. */
static void add_inclusive(Maker* m)
{
   for (uint32_t i = m->made->n; i--;) {
      uint32_t caller = m->made->of[i].caller;
      if (caller == CG2P_NONE) continue;
      const uint64_t* cost = inclusive_of(m, i);
      uint64_t* sum = inclusive_of(m, caller);
      for (uint32_t event = 0; event < m->part->n_events; event++)
         sum[event] += cost[event];
   }
}

void cg2p_division_divide(Maker* m)
{
   cg2p_stacks* made = m->made;
   size_t n = m->part->n_functions, width = m->part->n_events;
   Division* division = &made->division;
   read_places(m);
   division->sums =
      cg2p_memory_allocate(&m->failure, n * width * sizeof *division->sums);
   division->n_stacks =
      cg2p_memory_allocate(&m->failure, n * sizeof *division->n_stacks);
   division->cuts_of =
      cg2p_memory_allocate(&m->failure, n * sizeof *division->cuts_of);
   made->inclusive = cg2p_memory_allocate(
      &m->failure, made->n * width * sizeof *made->inclusive);
   for (uint32_t function = 0; function < n; function++) {
      division->n_stacks[function] = m->rows[function].n;
      division->cuts_of[function] = division->n_cuts;
      if (m->rows[function].n == 1)
         give_all(m, function);
      else
         divide_function(m, function);
   }
   add_inclusive(m);
}

/*--- A stack's part -----------------------------------------------------*/

/* A stack's part of what a function costs at a place in one event. */
static uint64_t
part_of(const cg2p_stacks* stacks, uint32_t stack, size_t place, uint32_t event)
{
   const Division* division = &stacks->division;
   const Origin* origin = &stacks->origins[stack];
   uint32_t function = stacks->of[stack].function;
   size_t width = stacks->part->n_events, first = division->first[function];
   uint64_t amount = division->costs[(first + place) * width + event], left;
   if (division->n_stacks[function] == 1 || !amount) return amount;
   uint64_t sum = division->sums[function * width + event], weight = 1;
   if (sum)
      weight = weight_of(stacks->shares[origin->share * width + event]);
   else
      sum = division->n_stacks[function];
   uint64_t piece = divide(amount, weight, sum, &left);
   Cut cut =
      division->cuts[division->cuts_of[function] + place * width + event];
   return piece + gets_more(cut, left, origin->item);
}

size_t cg2p_stacks_place_count(const cg2p_stacks* stacks, uint32_t function)
{
   if (function == stacks->small) return 0;
   const size_t* first = &stacks->division.first[function];
   return first[1] - first[0];
}

uint32_t cg2p_stacks_place(const cg2p_stacks* stacks,
                           uint32_t function,
                           size_t place,
                           uint64_t* line)
{
   const Division* division = &stacks->division;
   size_t row = division->first[function] + place;
   *line = 0;
   if (!division->table) return stacks->part->functions[function].file;
   *line = cg2p_table_keys(division->table, CG2P_BY_LINE)[row];
   return division
      ->by_rank[cg2p_table_keys(division->table, CG2P_BY_FILE)[row]];
}

int cg2p_stacks_place_cost(const cg2p_stacks* stacks,
                           uint32_t stack,
                           size_t place,
                           uint64_t* cost)
{
   int is_any = 0;
   for (uint32_t event = 0; event < stacks->part->n_events; event++) {
      cost[event] = part_of(stacks, stack, place, event);
      is_any |= cost[event] != 0;
   }
   return is_any;
}
