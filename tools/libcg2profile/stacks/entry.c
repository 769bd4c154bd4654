/* The ways into a cycle, and how each of its functions is reached from where
 * it is entered. */
#include "stacks/entry.h"

#include <stdlib.h>
#include <string.h>

/*--- Ways ---------------------------------------------------------------*/

static double* cost_of_way(const Maker* m, size_t way)
{
   return m->entry.ways.costs + way * m->part->n_events;
}

/* Adds a way, whose cost the caller sets. */
static double* add_way(Maker* m, Way way)
{
   Ways* ways = &m->entry.ways;
   size_t n = ways->n, width = m->part->n_events;
   ways->of = cg2p_memory_grow(&m->failure, ways->of, &ways->room, n + 1,
                               sizeof *ways->of);
   ways->costs = cg2p_memory_grow(&m->failure, ways->costs, &ways->costs_room,
                                  (n + 1) * width, sizeof *ways->costs);
   ways->of[n] = way;
   ways->n++;
   return cost_of_way(m, n);
}

/* Adds a way from a stack of the caller, which brings a share of the call's
 * cost. */
static void add_from(Maker* m, uint32_t stack, uint32_t call, uint32_t share)
{
   const uint64_t* cost = cg2p_calls_cost(&m->calls, call);
   uint32_t width = m->part->n_events;
   const double* shares = m->made->shares + (size_t)share * width;
   double* costs = add_way(m, (Way){stack, m->calls.of[call].callee, call});
   for (uint32_t i = 0; i < width; i++)
      costs[i] = (double)cost[i] * shares[i];
}

/* Adds a way for each stack of the caller that calls: a thread's root calls
 * from its first one alone. */
static void add_entering(Maker* m, uint32_t call)
{
   uint32_t caller = m->calls.of[call].caller;
   uint32_t stack = m->rows[caller].first;
   if (m->roots.is_root[caller]) {
      add_from(m, stack, call, 0);
      return;
   }
   for (; stack != CG2P_NONE; stack = m->made->origins[stack].next)
      add_from(m, stack, call, m->made->origins[stack].share);
}

static void add_all_entering(Maker* m, uint32_t cycle)
{
   for (uint32_t i = m->cycles.entering.first[cycle];
        i < m->cycles.entering.first[cycle + 1]; i++)
      add_entering(m, m->cycles.entering.items[i]);
}

static void add_to_rest(Maker* m, const uint64_t* cost, int sign)
{
   for (uint32_t i = 0; i < m->part->n_events; i++)
      m->entry.rest[i] += sign * (__int128)cost[i];
}

/* Adds what calls by a function cost that leave its cycle; but those by a
 * thread's root are none of what its calls cost. */
static void add_leaving(Maker* m, uint32_t function)
{
   const Calls* calls = &m->calls;
   if (m->roots.is_root[function]) return;
   for (uint32_t call = calls->first[function];
        call < calls->first[function + 1]; call++)
      if (m->cycles.of[calls->of[call].callee] != m->cycles.of[function])
         add_to_rest(m, cg2p_calls_cost(calls, call), 1);
}

/* Finds what is spent in a cycle and by calls that leave it, and is not
 * brought by those that enter it. Whether that is anything. */
static bool find_rest(Maker* m, uint32_t cycle)
{
   const Calls* calls = &m->calls;
   bool is_any = false;
   memset(m->entry.rest, 0, m->part->n_events * sizeof *m->entry.rest);
   for (uint32_t i = m->cycles.members.first[cycle];
        i < m->cycles.members.first[cycle + 1]; i++) {
      uint32_t member = m->cycles.members.items[i];
      add_to_rest(m, cg2p_part_self(m->part, member), 1);
      add_leaving(m, member);
   }
   for (uint32_t i = m->cycles.entering.first[cycle];
        i < m->cycles.entering.first[cycle + 1]; i++)
      add_to_rest(m, cg2p_calls_cost(calls, m->cycles.entering.items[i]), -1);
   for (uint32_t i = 0; i < m->part->n_events; i++)
      is_any |= m->entry.rest[i] > 0;
   return is_any;
}

static void add_root(Maker* m, uint32_t cycle)
{
   uint32_t first = m->cycles.members.items[m->cycles.members.first[cycle]];
   double* costs = add_way(m, (Way){CG2P_NONE, first, CG2P_NONE});
   for (uint32_t i = 0; i < m->part->n_events; i++)
      costs[i] = m->entry.rest[i] > 0 ? (double)m->entry.rest[i] : 0;
}

/* Makes way number `to` what number `from` is. */
static void move_way(Maker* m, size_t to, size_t from)
{
   if (to == from) return;
   m->entry.ways.of[to] = m->entry.ways.of[from];
   memcpy(cost_of_way(m, to), cost_of_way(m, from),
          m->part->n_events * sizeof *m->entry.ways.costs);
}

static bool is_costly(const double* costs, uint32_t n_events)
{
   for (uint32_t i = 0; i < n_events; i++)
      if (costs[i]) return true;
   return false;
}

/* Leaves out ways that cost nothing; but not all. */
static void leave_out_free(Maker* m)
{
   size_t n = 0;
   for (size_t i = 0; i < m->entry.ways.n; i++)
      if (is_costly(cost_of_way(m, i), m->part->n_events)) move_way(m, n++, i);
   m->entry.ways.n = n ? n : 1;
}

/*--- Small shares -------------------------------------------------------*/

static bool is_small(const Maker* m, size_t way)
{
   const double* costs = cost_of_way(m, way);
   for (uint32_t i = 0; i < m->part->n_events; i++)
      if (costs[i] && costs[i] >= m->entry.limits[i]) return false;
   return true;
}

/* Whether a cost is above another, which the first event decides that differs.
 */
static bool is_above(const double* cost, const double* other, uint32_t n_events)
{
   for (uint32_t i = 0; i < n_events; i++)
      if (cost[i] != other[i]) return cost[i] > other[i];
   return false;
}

/* Adds a way to the small ones, of which the largest says where the cycle is
 * entered. */
static void add_small(Maker* m, Small* small, size_t way)
{
   uint32_t width = m->part->n_events;
   const double* costs = cost_of_way(m, way);
   if (!small->n++ || is_above(costs, small->largest, width)) {
      memcpy(small->largest, costs, width * sizeof *costs);
      small->callee = m->entry.ways.of[way].callee;
   }
   for (uint32_t i = 0; i < width; i++)
      small->sum[i] += costs[i];
}

/* Makes one way of those that are small, if there are two or more. */
static void unite_small(Maker* m)
{
   Small* small = &m->entry.small;
   size_t n = 0;
   for (size_t i = 0; i < m->entry.ways.n && n < 2; i++)
      n += is_small(m, i);
   if (n < 2) return;
   if (m->entry.small_stack == CG2P_NONE) {
      cg2p_stack stack = {m->made->small, CG2P_NONE, CG2P_NONE, 0, 0};
      m->entry.small_stack = cg2p_maker_add_stack(m, &stack, 0);
   }
   small->n = n = 0;
   memset(small->sum, 0, m->part->n_events * sizeof *small->sum);
   for (size_t i = 0; i < m->entry.ways.n; i++)
      if (is_small(m, i))
         add_small(m, small, i);
      else
         move_way(m, n++, i);
   m->entry.ways.n = n;
   double* costs =
      add_way(m, (Way){m->entry.small_stack, small->callee, CG2P_NONE});
   memcpy(costs, small->sum, m->part->n_events * sizeof *costs);
}

void cg2p_entry_find(Maker* m, uint32_t cycle)
{
   m->entry.ways.n = 0;
   add_all_entering(m, cycle);
   if (find_rest(m, cycle) || !m->entry.ways.n) add_root(m, cycle);
   leave_out_free(m);
   unite_small(m);
}

bool cg2p_entry_find_calls(Maker* m, uint32_t function)
{
   uint32_t cycle = m->cycles.of[function];
   m->entry.ways.n = 0;
   add_all_entering(m, cycle);
   if (!m->entry.ways.n) return false;
   leave_out_free(m);
   if (!is_costly(cost_of_way(m, 0), m->part->n_events)) return false;
   unite_small(m);
   find_rest(m, cycle);
   add_root(m, cycle);
   return true;
}

/*--- Shares -------------------------------------------------------------*/

static double sum_of(const Maker* m, uint32_t event)
{
   double sum = 0;
   for (size_t i = 0; i < m->entry.ways.n; i++)
      sum += cost_of_way(m, i)[event];
   return sum;
}

/* The first event that several ways cost; all of them cost something. */
static uint32_t usual_event(const Maker* m)
{
   uint32_t event = 0;
   while (!sum_of(m, event))
      event++;
   return event;
}

uint32_t cg2p_entry_share(Maker* m)
{
   cg2p_stacks* made = m->made;
   size_t first = made->n_shares, width = m->part->n_events;
   if (m->entry.ways.n == 1) return 0;
   if (first + m->entry.ways.n >= UINT32_MAX)
      cg2p_failure_memory(&m->failure, SIZE_MAX);
   made->n_shares += m->entry.ways.n;
   made->shares =
      cg2p_memory_grow(&m->failure, made->shares, &made->shares_room,
                       made->n_shares * width, sizeof *made->shares);
   uint32_t usual = usual_event(m);
   for (uint32_t event = 0; event < width; event++) {
      uint32_t like = sum_of(m, event) ? event : usual;
      double sum = sum_of(m, like);
      for (size_t i = 0; i < m->entry.ways.n; i++)
         made->shares[(first + i) * width + event] =
            cost_of_way(m, i)[like] / sum;
   }
   return first;
}
