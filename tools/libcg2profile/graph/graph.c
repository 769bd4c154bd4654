/* The call graph of a part: levels folded into nodes, cycles, inclusive costs.
 *
 * How inclusive cost is found. Of one level it is
 *
 *    self cost + arcs to other functions (to other levels too, not to itself)
 *
 * An arc from a level to itself is left out because its cost is part of the
 * outer activation's. In a cycle the same cost travels along several arcs, so
 * there the sum is an upper bound only; the cost of the whole cycle,
 *
 *    self costs of its members + arcs that leave it
 *
 * is another, and the lower one is taken, event by event. Outside cycles the
 * figure is exact.
 *
 * All of "fib'2" is spent inside "fib". So the inclusive cost of a node is that
 * of its outermost level, and it is exact too: outermost levels are in no
 * cycle. For the same reason the inclusive cost of an arc between nodes of one
 * cycle, or from a node to itself, counts the caller's outermost level alone
 * (the inner levels' calls happen inside); other arcs add up over all levels;
 * and no arc costs more than its callee.
 *
 * What is spent while any member of a cycle is on the stack is the second of
 * the sums above, and exact, as nothing that it calls outside comes back. */
#include "base/components.h"
#include "profile/level.h"
#include "profile/part.h"

#include <stdlib.h>
#include <string.h>

/* Functions or nodes, and the calls between them. */
typedef struct CallArcs {
   uint32_t n, n_arcs;
   const uint64_t* self;
   const cg2p_arc* arcs;
   const uint64_t* costs; /* of arcs */
} CallArcs;

typedef struct Cycles {
   uint32_t n;
   uint32_t* of; /* of each function or node: its cycle, from 1; 0: none */
   uint64_t *self, *inclusive; /* costs of the cycles */
} Cycles;

typedef struct Graph {
   cg2p_graph seen; /* comes first: what the caller has */
   Failure failure;
   const cg2p_profile* profile;
   const Part* part;
   Arena kept, scratch; /* scratch: while the graph is made */
   Part* nodes;         /* each a function of a part of their own */
   NameStore names;     /* of nodes, behind those of the profile */
   uint32_t *node_of, *outermost;
   uint64_t* inclusive; /* of nodes */
   cg2p_arc* arcs;
   uint32_t n_arcs;
   uint32_t* arc_of; /* of each arc of the part: the arc that it belongs to */
   uint64_t* arc_costs;
   Cycles cycles; /* of nodes */
   cg2p_arc* entries;
   uint32_t n_entries;
   uint64_t* entry_costs;
} Graph;

static void* zeroed(Graph* g, Arena* arena, size_t n, size_t size)
{
   void* made = cg2p_arena_add(arena, &g->failure, n * size);
   return memset(made, 0, n * size);
}

/*--- Costs --------------------------------------------------------------*/

static uint64_t* costs(Graph* g, Arena* arena, size_t n)
{
   return zeroed(g, arena, n * g->part->n_events, sizeof(uint64_t));
}

static _Noreturn void refuse_sum(Graph* g, const char* what, const char* event)
{
   cg2p_failure_at(
      &g->failure, g->part->events_line,
      "the %s%s add up to more than 64 bits; expected a sum of less "
      "than 18446744073709551616",
      what, event);
}

/* Adds cost `more` of an array to cost `i` of another. */
static void
add(Graph* g, uint64_t* sums, size_t i, const uint64_t* mores, size_t more)
{
   size_t width = g->part->n_events;
   uint64_t* sum = sums + i * width;
   const uint64_t* cost = mores + more * width;
   for (size_t event = 0; event < width; event++)
      if (__builtin_add_overflow(sum[event], cost[event], &sum[event]))
         refuse_sum(g, "costs of ", g->part->events[event]);
}

static void add_count(Graph* g, uint64_t* sum, uint64_t count)
{
   if (__builtin_add_overflow(*sum, count, sum)) refuse_sum(g, "calls", "");
}

/* Takes the lower numbers of cost `i` and cost `limit` of another array. */
static void
limit(Graph* g, uint64_t* costs, size_t i, const uint64_t* limits, size_t limit)
{
   size_t width = g->part->n_events;
   uint64_t* cost = costs + i * width;
   const uint64_t* most = limits + limit * width;
   for (size_t event = 0; event < width; event++)
      if (most[event] < cost[event]) cost[event] = most[event];
}

/*--- Nodes --------------------------------------------------------------*/

/* The number of a name without its level; the graph's own names follow those of
 * the profile. */
static uint32_t
without_level(Graph* g, const StoredName* name, const Level* level)
{
   const NameStore* known = &g->profile->names;
   size_t length = name->length - level->length;
   char* text = cg2p_arena_add(&g->scratch, &g->failure, length);
   memcpy(text, name->text, level->start);
   memcpy(text + level->start, name->text + level->start + level->length,
          length - level->start);
   uint32_t number = cg2p_names_find(known, text, length);
   if (number < known->n) return number;
   return known->n + cg2p_names_intern(&g->names, &g->failure, text, length);
}

static int compare_numbers(const void* a, const void* b)
{
   const uint64_t *first = a, *second = b;
   return (*first > *second) - (*first < *second);
}

/* Puts numbers in order; most are, as few functions have levels. */
static void sort_numbers(uint64_t* numbers, size_t n)
{
   size_t i = 1;
   while (i < n && numbers[i - 1] <= numbers[i])
      i++;
   if (i < n) qsort(numbers, n, sizeof *numbers, compare_numbers);
}

/* The functions by level, outer ones first; those of one level stay in order.
 * Takes the levels from the keys. */
static uint64_t* by_level(Graph* g, cg2p_function* keys)
{
   uint32_t n = g->part->n_functions;
   uint64_t* order = zeroed(g, &g->scratch, n, sizeof *order);
   for (uint32_t i = 0; i < n; i++) {
      const StoredName* name = &g->profile->names.of[keys[i].name];
      Level level = cg2p_level_of(name->text, name->length);
      if (level.length) keys[i].name = without_level(g, name, &level);
      order[i] = (uint64_t)level.number << 32 | i;
   }
   sort_numbers(order, n);
   return order;
}

static void add_to_node(Graph* g, uint32_t function, cg2p_function key)
{
   size_t known = g->nodes->n_functions;
   uint32_t node = cg2p_part_intern_function(g->nodes, &g->failure, key);
   if (node == known) g->outermost[node] = function;
   g->node_of[function] = node;
   add(g, g->nodes->self, node, g->part->self, function);
}

static void make_nodes(Graph* g, bool keep_levels)
{
   uint32_t n = g->part->n_functions;
   size_t bytes = n * sizeof(cg2p_function);
   g->nodes = cg2p_memory_allocate(&g->failure, sizeof *g->nodes);
   g->nodes->n_events = g->part->n_events;
   g->node_of = zeroed(g, &g->kept, n, sizeof *g->node_of);
   g->outermost = zeroed(g, &g->kept, n, sizeof *g->outermost);
   cg2p_function* keys = cg2p_arena_add(&g->scratch, &g->failure, bytes);
   if (n) memcpy(keys, g->part->functions, bytes);
   uint64_t* order = keep_levels ? NULL : by_level(g, keys);
   for (uint32_t i = 0; i < n; i++) {
      uint32_t function = order ? (uint32_t)order[i] : i;
      add_to_node(g, function, keys[function]);
   }
}

/*--- Cycles -------------------------------------------------------------*/

/* Numbers the components of several members in the order of the first ones. */
static Cycles number_cycles(Graph* g, Arena* arena, const CallArcs* calls)
{
   Cycles cycles = {.of = zeroed(g, arena, calls->n, sizeof *cycles.of)};
   uint32_t* component = cg2p_components_find(
      &g->scratch, &g->failure, calls->n, calls->arcs, calls->n_arcs);
   uint32_t* members = zeroed(g, &g->scratch, calls->n, sizeof *members);
   uint32_t* number = zeroed(g, &g->scratch, calls->n, sizeof *number);
   for (uint32_t i = 0; i < calls->n; i++)
      members[component[i]]++;
   for (uint32_t i = 0; i < calls->n; i++) {
      uint32_t its = component[i];
      if (members[its] < 2) continue;
      if (!number[its]) number[its] = ++cycles.n;
      cycles.of[i] = number[its];
   }
   return cycles;
}

static void
add_cycles(Graph* g, Arena* arena, Cycles* cycles, const CallArcs* calls)
{
   cycles->self = costs(g, arena, cycles->n);
   cycles->inclusive = costs(g, arena, cycles->n);
   for (uint32_t i = 0; i < calls->n; i++)
      if (cycles->of[i])
         add(g, cycles->self, cycles->of[i] - 1, calls->self, i);
   for (uint32_t i = 0; i < cycles->n; i++)
      add(g, cycles->inclusive, i, cycles->self, i);
   for (uint32_t i = 0; i < calls->n_arcs; i++) {
      uint32_t cycle = cycles->of[calls->arcs[i].caller];
      if (cycle && cycle != cycles->of[calls->arcs[i].callee])
         add(g, cycles->inclusive, cycle - 1, calls->costs, i);
   }
}

/*--- Inclusive costs of nodes -------------------------------------------*/

static bool is_outermost(const Graph* g, uint32_t function)
{
   return g->outermost[g->node_of[function]] == function;
}

/* Returns the cycles of functions. */
static Cycles add_inclusive(Graph* g)
{
   const Part* part = g->part;
   uint32_t n = g->nodes->n_functions;
   CallArcs calls = {part->n_functions, part->n_arcs, part->self, part->arcs,
                     part->inclusive};
   Cycles cycles = number_cycles(g, &g->kept, &calls);
   add_cycles(g, &g->scratch, &cycles, &calls);
   g->inclusive = costs(g, &g->kept, n);
   for (uint32_t i = 0; i < n; i++)
      add(g, g->inclusive, i, part->self, g->outermost[i]);
   for (uint32_t i = 0; i < part->n_arcs; i++) {
      uint32_t caller = part->arcs[i].caller;
      if (is_outermost(g, caller) && caller != part->arcs[i].callee)
         add(g, g->inclusive, g->node_of[caller], part->inclusive, i);
   }
   for (uint32_t i = 0; i < n; i++) {
      uint32_t cycle = cycles.of[g->outermost[i]];
      if (cycle) limit(g, g->inclusive, i, cycles.inclusive, cycle - 1);
   }
   return cycles;
}

/*--- Arcs between nodes -------------------------------------------------*/

/* The part's arcs, by the node that calls. */
static Groups by_caller(Graph* g)
{
   uint32_t n = g->part->n_arcs;
   uint32_t* callers = zeroed(g, &g->scratch, n, sizeof *callers);
   for (uint32_t i = 0; i < n; i++)
      callers[i] = g->node_of[g->part->arcs[i].caller];
   return cg2p_components_group(&g->scratch, &g->failure, callers, n,
                                g->nodes->n_functions);
}

/* Adds the calls of one node; known[callee] is the last arc to it, + 1. */
static void add_calls(Graph* g,
                      const uint32_t* calls,
                      uint32_t n,
                      uint32_t caller,
                      uint32_t* known)
{
   uint32_t first = g->n_arcs;
   for (uint32_t i = 0; i < n; i++) {
      const cg2p_arc* call = &g->part->arcs[calls[i]];
      uint32_t callee = g->node_of[call->callee];
      if (known[callee] <= first) {
         g->arcs[g->n_arcs++] = (cg2p_arc){caller, callee, 0};
         known[callee] = g->n_arcs;
      }
      g->arc_of[calls[i]] = known[callee] - 1;
      add_count(g, &g->arcs[known[callee] - 1].count, call->count);
   }
}

static void make_arcs(Graph* g)
{
   uint32_t n = g->nodes->n_functions;
   Groups calls = by_caller(g);
   uint32_t* known = zeroed(g, &g->scratch, n, sizeof *known);
   g->arcs = zeroed(g, &g->kept, g->part->n_arcs, sizeof *g->arcs);
   g->arc_of = zeroed(g, &g->scratch, g->part->n_arcs, sizeof *g->arc_of);
   for (uint32_t i = 0; i < n; i++)
      add_calls(g, calls.items + calls.first[i],
                calls.first[i + 1] - calls.first[i], i, known);
}

static bool counts(const Graph* g, uint32_t caller, uint32_t callee)
{
   uint32_t from = g->node_of[caller], to = g->node_of[callee];
   uint32_t cycle = g->cycles.of[from];
   return g->outermost[from] == caller ||
          (from != to && (!cycle || cycle != g->cycles.of[to]));
}

static void add_arc_costs(Graph* g)
{
   g->arc_costs = costs(g, &g->kept, g->n_arcs);
   for (uint32_t i = 0; i < g->part->n_arcs; i++)
      if (counts(g, g->part->arcs[i].caller, g->part->arcs[i].callee))
         add(g, g->arc_costs, g->arc_of[i], g->part->inclusive, i);
}

/* No arc costs more than its callee. */
static void limit_arcs(Graph* g)
{
   for (uint32_t i = 0; i < g->n_arcs; i++)
      limit(g, g->arc_costs, i, g->inclusive, g->arcs[i].callee);
}

/* The cycle that an arc enters; 0: none. */
static uint32_t entered(const Graph* g, const cg2p_arc* arc)
{
   uint32_t cycle = g->cycles.of[arc->callee];
   return cycle != g->cycles.of[arc->caller] ? cycle : 0;
}

/* Adds up the calls into cycles; known[cycle] is the last entry to it, + 1.
 * Entries of one caller stand together, as its arcs do. */
static void add_entries(Graph* g)
{
   uint32_t* known =
      zeroed(g, &g->scratch, (size_t)g->cycles.n + 1, sizeof *known);
   uint32_t n = 0;
   for (uint32_t i = 0; i < g->n_arcs; i++)
      n += entered(g, &g->arcs[i]) > 0;
   g->entries = zeroed(g, &g->kept, n, sizeof *g->entries);
   g->entry_costs = costs(g, &g->kept, n);
   for (uint32_t i = 0; i < g->n_arcs; i++) {
      const cg2p_arc* arc = &g->arcs[i];
      uint32_t cycle = entered(g, arc), entry = known[cycle];
      if (!cycle) continue;
      if (!entry || g->entries[entry - 1].caller != arc->caller) {
         g->entries[g->n_entries++] = (cg2p_arc){arc->caller, cycle, 0};
         entry = known[cycle] = g->n_entries;
      }
      add_count(g, &g->entries[entry - 1].count, arc->count);
      add(g, g->entry_costs, entry - 1, g->arc_costs, i);
   }
}

/*--- The operation ------------------------------------------------------*/

/* Whether each node is the function of its number, as where there are no
 * levels: then the cycles of functions are those of nodes. */
static bool are_functions(const Graph* g)
{
   uint32_t n = g->part->n_functions, i = 0;
   while (i < n && g->node_of[i] == i)
      i++;
   return i == n;
}

static void make_graph(Graph* g, bool keep_levels)
{
   make_nodes(g, keep_levels);
   Cycles of_functions = add_inclusive(g);
   make_arcs(g);
   CallArcs calls = {g->nodes->n_functions, g->n_arcs, g->nodes->self, g->arcs,
                     NULL};
   g->cycles =
      are_functions(g) ? of_functions : number_cycles(g, &g->kept, &calls);
   add_arc_costs(g);
   calls.costs = g->arc_costs;
   add_cycles(g, &g->kept, &g->cycles, &calls);
   add_entries(g);
   limit_arcs(g);
}

static cg2p_graph* shown(Graph* g)
{
   g->seen = (cg2p_graph){
      .n_events = g->part->n_events,
      .n_functions = g->part->n_functions,
      .n_nodes = g->nodes->n_functions,
      .node_of = g->node_of,
      .outermost = g->outermost,
      .self = g->nodes->self,
      .inclusive = g->inclusive,
      .cycle = g->cycles.of,
      .n_arcs = g->n_arcs,
      .arcs = g->arcs,
      .arc_costs = g->arc_costs,
      .n_cycles = g->cycles.n,
      .cycle_self = g->cycles.self,
      .cycle_inclusive = g->cycles.inclusive,
      .n_entries = g->n_entries,
      .entries = g->entries,
      .entry_costs = g->entry_costs,
   };
   return &g->seen;
}

cg2p_graph* cg2p_graph_new(const cg2p_profile* profile,
                           const cg2p_part* part,
                           int keep_levels,
                           cg2p_error* error)
{
   Graph* g = calloc(1, sizeof *g);
   if (!g) {
      cg2p_failure_say_no_memory(error, profile->path);
      return NULL;
   }
   g->failure = (Failure){.path = profile->path, .error = error};
   g->profile = profile;
   g->part = part;
   if (setjmp(g->failure.caught)) {
      cg2p_graph_free(&g->seen);
      return NULL;
   }
   make_graph(g, keep_levels);
   cg2p_arena_free(&g->scratch);
   return shown(g);
}

const char*
cg2p_graph_node_name(const cg2p_graph* graph, uint32_t node, size_t* length)
{
   const Graph* g = (const Graph*)graph;
   uint32_t number = g->nodes->functions[node].name;
   size_t n = g->profile->names.n;
   const StoredName* name =
      number < n ? &g->profile->names.of[number] : &g->names.of[number - n];
   if (length) *length = name->length;
   return name->text;
}

int cg2p_graph_counts(const cg2p_graph* graph, uint32_t caller, uint32_t callee)
{
   return counts((const Graph*)graph, caller, callee);
}

/*--- Asking -------------------------------------------------------------*/

/* What nodes are compared by, and how many are wanted. */
typedef struct DearestOrder {
   const uint64_t* costs; /* of the first node */
   size_t width;
   uint32_t most;
} DearestOrder;

static uint64_t cost_by(const DearestOrder* by, uint32_t node)
{
   return by->costs[node * by->width];
}

/* Puts a node among the dearest, which are `n` and at most `most`, the dearest
 * first; how many there are then. */
static uint32_t
add_dearest(const DearestOrder* by, uint32_t node, uint32_t* nodes, uint32_t n)
{
   uint64_t cost = cost_by(by, node);
   if (n == by->most && cost <= cost_by(by, nodes[n - 1])) return n;
   uint32_t place = n < by->most ? n : n - 1;
   for (; place && cost_by(by, nodes[place - 1]) < cost; place--)
      nodes[place] = nodes[place - 1];
   nodes[place] = node;
   return n < by->most ? n + 1 : n;
}

uint32_t cg2p_graph_find_dearest(const cg2p_graph* graph,
                                 const uint64_t* costs,
                                 uint32_t event,
                                 uint32_t most,
                                 uint32_t* nodes,
                                 uint32_t* n_all)
{
   DearestOrder by = {costs + event, graph->n_events, most};
   uint32_t n = 0, found = 0;
   *n_all = 0;
   for (uint32_t node = 0; node < graph->n_nodes; node++)
      if (cost_by(&by, node)) {
         n = add_dearest(&by, node, nodes, n);
         ++*n_all;
      }
   uint64_t least = n ? cost_by(&by, nodes[n - 1]) : UINT64_MAX;
   for (uint32_t node = 0; n && node < graph->n_nodes; node++)
      if (cost_by(&by, node) >= least) nodes[found++] = node;
   return found;
}

void cg2p_graph_number_arcs(const cg2p_graph* graph,
                            const uint64_t* numbers,
                            uint64_t* callers,
                            uint64_t* callees)
{
   for (uint32_t i = 0; i < graph->n_arcs; i++) {
      callers[i] = numbers[graph->arcs[i].caller];
      callees[i] = numbers[graph->arcs[i].callee];
   }
}

void cg2p_graph_number_functions(const cg2p_graph* graph,
                                 const uint64_t* numbers,
                                 uint32_t* functions)
{
   for (uint32_t i = 0; i < graph->n_functions; i++)
      functions[i] = numbers[graph->node_of[i]];
}

void cg2p_graph_free(cg2p_graph* graph)
{
   Graph* g = (Graph*)graph;
   if (!g) return;
   cg2p_part_free(g->nodes);
   cg2p_names_free(&g->names);
   cg2p_arena_free(&g->kept);
   cg2p_arena_free(&g->scratch);
   free(g);
}
