/* Adds the stacks of a part cycle by cycle: functions that call each other;
 * mostly of one function. A thread's root is a cycle of its own, with a stack
 * that nobody calls, and one for each way to call it. */
#include "stacks/callcycles.h"
#include "stacks/entry.h"
#include "stacks/spanning.h"

/*--- Stacks -------------------------------------------------------------*/

/* Adds a stack of a function above that of a caller, which may be none. */
static void add_stack(
   Maker* m, uint32_t function, uint32_t caller, uint32_t call, uint32_t share)
{
   cg2p_stack stack = {
      .function = function, .caller = caller, .site_file = CG2P_NONE};
   if (caller != CG2P_NONE) stack.depth = m->made->of[caller].depth + 1;
   if (call != CG2P_NONE && m->by_line) {
      stack.site_file = m->calls.of[call].file;
      stack.site_line = m->calls.of[call].line;
   }
   m->placed[function] = cg2p_maker_add_stack(m, &stack, share);
}

static void add_way(Maker* m, const Way* way, uint32_t share)
{
   add_stack(m, way->callee, way->caller, way->call, share);
}

/* Adds the stacks that a way leads to, one of each function of its cycle. */
static void add_stacks(Maker* m, const Way* way, uint32_t n, uint32_t share)
{
   add_way(m, way, share);
   if (n == 1) return;
   const uint32_t* tree = cg2p_spanning_tree(m, way->callee);
   for (uint32_t i = 1; i < n; i++) {
      const Call* call = &m->calls.of[tree[i]];
      add_stack(m, call->callee, m->placed[call->caller], tree[i], share);
   }
}

/* Whether what a caller of a cycle costs in its stacks is a guess. */
static bool is_caller_apportioned(const Maker* m, uint32_t cycle)
{
   for (uint32_t i = m->cycles.entering.first[cycle];
        i < m->cycles.entering.first[cycle + 1]; i++)
      if (m->is_apportioned[m->calls.of[m->cycles.entering.items[i]].caller])
         return true;
   return false;
}

/* Whether what the stacks of a cycle cost is a guess. */
static bool is_apportioned(const Maker* m, uint32_t cycle, uint32_t n)
{
   uint32_t first = m->cycles.members.items[m->cycles.members.first[cycle]];
   bool are_several = false;
   if (is_caller_apportioned(m, cycle)) return true;
   for (size_t i = 1; i < m->entry.ways.n; i++)
      are_several |= m->entry.ways.of[i].caller != m->entry.ways.of[0].caller;
   return n > 1 || (are_several && cg2p_calls_are_made_by(&m->calls, first));
}

static void note_chain(Maker* m, uint32_t call)
{
   const Call* noted = &m->calls.of[call];
   m->made->lacks_chains |= !cg2p_plainname_is_chain_full(
      &m->made->names, noted->callee, noted->caller);
}

/* Notes whether longer chains would tell the callers of a cycle apart, or its
 * members. */
static void note_chains(Maker* m, uint32_t cycle)
{
   const Calls* calls = &m->calls;
   for (uint32_t i = m->cycles.entering.first[cycle];
        i < m->cycles.entering.first[cycle + 1]; i++)
      note_chain(m, m->cycles.entering.items[i]);
   for (uint32_t i = m->cycles.members.first[cycle];
        i < m->cycles.members.first[cycle + 1]; i++) {
      uint32_t member = m->cycles.members.items[i];
      for (uint32_t call = calls->first[member];
           call < calls->first[member + 1]; call++)
         if (m->cycles.of[calls->of[call].callee] == cycle) note_chain(m, call);
   }
}

static void add_cycle(Maker* m, uint32_t cycle)
{
   const uint32_t* members =
      m->cycles.members.items + m->cycles.members.first[cycle];
   uint32_t n =
      m->cycles.members.first[cycle + 1] - m->cycles.members.first[cycle];
   if (m->roots.is_root[*members]) {
      add_stack(m, *members, CG2P_NONE, CG2P_NONE, 0);
      return;
   }
   cg2p_entry_find(m, cycle);
   uint32_t share = cg2p_entry_share(m);
   for (size_t i = 0; i < m->entry.ways.n; i++)
      add_stacks(m, &m->entry.ways.of[i], n,
                 m->entry.ways.n == 1 ? share : share + i);
   if (!is_apportioned(m, cycle, n)) return;
   note_chains(m, cycle);
   for (uint32_t i = 0; i < n; i++) {
      m->is_apportioned[members[i]] = 1;
      m->made->apportioned += *cg2p_part_self(m->part, members[i]);
   }
}

/* Adds the stacks of the calls that a thread's root has, whose own stack is
 * there. */
static void add_calls(Maker* m, uint32_t function)
{
   uint32_t root = m->rows[function].first;
   if (!cg2p_entry_find_calls(m, function)) return;
   uint32_t share = cg2p_entry_share(m), n = m->entry.ways.n - 1;
   for (uint32_t i = 0; i < n; i++)
      add_way(m, &m->entry.ways.of[i], share + i);
   m->made->origins[root].share = share + n;
   if (is_caller_apportioned(m, m->cycles.of[function]))
      m->made->apportioned += *cg2p_part_self(m->part, function);
}

/*--- Callers first ------------------------------------------------------*/

/* The component of each function, if nobody calls roots of threads. */
static uint32_t* find_components(Maker* m)
{
   const Part* part = m->part;
   const cg2p_arc* arcs = part->arcs;
   size_t n = part->n_arcs;
   if (m->roots.has_any) {
      cg2p_arc* kept =
         cg2p_arena_add(&m->scratch, &m->failure, n * sizeof *kept);
      n = 0;
      for (size_t i = 0; i < part->n_arcs; i++)
         if (!m->roots.is_root[arcs[i].callee]) kept[n++] = arcs[i];
      arcs = kept;
   }
   return cg2p_components_find(&m->scratch, &m->failure, part->n_functions,
                               arcs, n);
}

/* Finds the cycles, and the calls that enter each. */
static void find_cycles(Maker* m)
{
   const Part* part = m->part;
   const Calls* calls = &m->calls;
   uint32_t* entered =
      cg2p_arena_add(&m->scratch, &m->failure, calls->n * sizeof *entered);
   m->cycles.of = find_components(m);
   for (size_t i = 0; i < part->n_functions; i++)
      if (m->cycles.of[i] >= m->cycles.n) m->cycles.n = m->cycles.of[i] + 1;
   for (size_t i = 0; i < calls->n; i++) {
      uint32_t cycle = m->cycles.of[calls->of[i].callee];
      bool enters = cycle != m->cycles.of[calls->of[i].caller];
      entered[i] = enters ? cycle : m->cycles.n;
   }
   m->cycles.members = cg2p_components_group(
      &m->scratch, &m->failure, m->cycles.of, part->n_functions, m->cycles.n);
   m->cycles.entering = cg2p_components_group(&m->scratch, &m->failure, entered,
                                              calls->n, m->cycles.n + 1);
}

/* How many calls have to be there before the stacks of a cycle. */
static uint32_t count_awaited(const Maker* m, uint32_t cycle)
{
   if (m->roots
          .is_root[m->cycles.members.items[m->cycles.members.first[cycle]]])
      return 0;
   return m->cycles.entering.first[cycle + 1] - m->cycles.entering.first[cycle];
}

/* Counts off the calls that leave a cycle; cycles of which no call is awaited
 * any more become ready. How many are ready. */
static uint32_t leave_cycle(
   Maker* m, uint32_t cycle, uint32_t* awaited, uint32_t* ready, uint32_t n)
{
   const Calls* calls = &m->calls;
   for (uint32_t i = m->cycles.members.first[cycle];
        i < m->cycles.members.first[cycle + 1]; i++) {
      uint32_t member = m->cycles.members.items[i];
      for (uint32_t call = calls->first[member];
           call < calls->first[member + 1]; call++) {
         uint32_t callee = m->cycles.of[calls->of[call].callee];
         if (callee == cycle || m->roots.is_root[calls->of[call].callee])
            continue;
         if (!--awaited[callee]) ready[n++] = callee;
      }
   }
   return n;
}

/* Adds the stacks of all cycles, a caller's in front of its callees'. */
static void add_cycles(Maker* m)
{
   size_t bytes = m->cycles.n * sizeof(uint32_t);
   uint32_t* awaited = cg2p_arena_add(&m->scratch, &m->failure, bytes);
   uint32_t* ready = cg2p_arena_add(&m->scratch, &m->failure, bytes);
   uint32_t n = 0;
   for (uint32_t i = 0; i < m->cycles.n; i++)
      awaited[i] = count_awaited(m, i);
   for (uint32_t i = 0; i < m->part->n_functions; i++) {
      uint32_t cycle = m->cycles.of[i];
      bool is_first =
         m->cycles.members.items[m->cycles.members.first[cycle]] == i;
      if (is_first && !awaited[cycle]) ready[n++] = cycle;
   }
   while (n) {
      uint32_t cycle = ready[--n];
      add_cycle(m, cycle);
      n = leave_cycle(m, cycle, awaited, ready, n);
   }
}

/* The calls of roots of threads come last: their callers may run in the threads
 * that they make. */
void cg2p_callcycles_add(Maker* m)
{
   find_cycles(m);
   add_cycles(m);
   for (uint32_t i = 0; i < m->part->n_functions; i++)
      if (m->roots.is_root[i]) add_calls(m, i);
}
