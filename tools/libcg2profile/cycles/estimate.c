#include "cycles/estimate.h"
#include "sum/heading.h"
#include "sum/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ESTIMATED_KIND "Estimated cycles"

/*--- What it needs ------------------------------------------------------*/

static void check_part(Failure* failure, const Part* part)
{
   cg2p_part_check_addresses(failure, part);
   if (!cg2p_gathering_has_event(part, "Ir"))
      cg2p_failure_at(
         failure, part->events_line,
         "the profile has no event Ir, by which instructions are "
         "counted; expected a profile of them, with it in events:");
   for (int c = 0; c < CAUSES; c++)
      if (cg2p_gathering_has_event(part, cg2p_charges_events[c]))
         cg2p_failure_at(failure, part->events_line,
                         "the profile has an estimate of cycles already; "
                         "expected one as it was recorded");
}

static void check(cg2p_cycles* cycles)
{
   const cg2p_profile* profile = cycles->profile;
   if (profile->detail < CG2P_LINES)
      cg2p_failure_at(&cycles->failure, 0, "it was read without lines");
   for (size_t p = 0; p < profile->n_parts; p++)
      check_part(&cycles->failure, profile->parts[p]);
}

static bool begin(cg2p_cycles* cycles)
{
   if (setjmp(cycles->failure.caught)) return false;
   check(cycles);
   cg2p_gathering_find(&cycles->objects, &cycles->failure, cycles->profile);
   if (cycles->objects.n_spots && !cycles->objects.has_jumps)
      cg2p_failure_at(&cycles->failure, 1,
                      "the profile has no jumps; expected one that was made "
                      "with --collect-jumps=yes");
   return true;
}

cg2p_cycles* cg2p_cycles_new(const cg2p_profile* profile,
                             const cg2p_core* core,
                             cg2p_error* error)
{
   cg2p_cycles* cycles = calloc(1, sizeof *cycles);
   if (!cycles) {
      cg2p_failure_say_no_memory(error, profile->path);
      return NULL;
   }
   cycles->profile = profile;
   cycles->core = core;
   cycles->failure = (Failure){.path = profile->path, .error = error};
   if (begin(cycles)) return cycles;
   cg2p_cycles_free(cycles);
   return NULL;
}

/*--- Objects ------------------------------------------------------------*/

size_t cg2p_cycles_object_count(const cg2p_cycles* cycles)
{
   return cycles->objects.n;
}

uint32_t cg2p_cycles_object_name(const cg2p_cycles* cycles, size_t object)
{
   return cycles->objects.of[object].name;
}

const uint64_t*
cg2p_cycles_addresses(const cg2p_cycles* cycles, size_t object, size_t* n)
{
   *n = cycles->objects.of[object].n;
   return cycles->objects.of[object].addresses;
}

void cg2p_cycles_add(cg2p_cycles* cycles,
                     size_t object,
                     const cg2p_operation* operations)
{
   cycles->objects.of[object].operations = operations;
}

/*--- The walk -----------------------------------------------------------*/

static void walk(cg2p_cycles* cycles, uint64_t seed)
{
   Ground ground = {.core = cycles->core,
                    .graph = &cycles->graph,
                    .workload = &cycles->workload,
                    .forwards = &cycles->forwards};
   cg2p_walkers_walk(&cycles->walkers, &cycles->failure, &ground, seed);
}

static void find_bounds(cg2p_cycles* cycles)
{
   LastStores* stores = &cycles->walkers.of[0].pipeline->executing.stores;
   cycles->bounds = (Bounds){.graph = &cycles->graph,
                             .gathering = &cycles->gathering,
                             .workload = &cycles->workload,
                             .prices = &cycles->prices,
                             .core = cycles->core,
                             .recurrence = {.stores = stores},
                             .failure = &cycles->failure};
   cg2p_bounds_find(&cycles->bounds);
}

static bool estimate(cg2p_cycles* cycles, uint64_t seed)
{
   Failure* failure = &cycles->failure;
   if (setjmp(failure->caught)) return false;
   cg2p_gathering_count(&cycles->gathering, failure, cycles->profile,
                        &cycles->objects);
   cg2p_controlgraph_make(&cycles->graph, failure, &cycles->gathering);
   cg2p_prefetches_hide(&cycles->gathering, failure, &cycles->graph);
   cg2p_work_find(&cycles->workload, failure, &cycles->graph,
                  &cycles->gathering, cycles->core);
   cg2p_forwards_find(&cycles->forwards, failure, cycles->profile,
                      &cycles->objects);
   walk(cycles, seed);
   cycles->prices = (Prices){.graph = &cycles->graph,
                             .gathering = &cycles->gathering,
                             .workload = &cycles->workload,
                             .numbers = &cycles->core->numbers,
                             .charges = cycles->walkers.of[0].pipeline->charges,
                             .rated = cycles->walkers.of[0].pipeline->rated};
   cg2p_prices_find(&cycles->prices, failure);
   for (uint32_t i = 0; i < cycles->graph.n; i++)
      cycles->n_ir += cycles->gathering.counters[(size_t)i * COUNTERS];
   find_bounds(cycles);
   return true;
}

/*--- What is said of it -------------------------------------------------*/

/* Puts a share of all Ir behind what is said. */
static size_t say_share(const cg2p_cycles* cycles,
                        char* to,
                        size_t room,
                        uint64_t ir,
                        const char* of_what)
{
   enum { PER_MILLE = 1000 };
   if (!ir) return 0;
   unsigned __int128 share = (unsigned __int128)ir * PER_MILLE;
   unsigned mille = share / cycles->n_ir;
   int n = mille ? snprintf(to, room, "; %u.%u %% of Ir %s", mille / 10,
                            mille % 10, of_what)
                 : snprintf(to, room, "; less than 0.1 %% of Ir %s", of_what);
   return (size_t)n < room ? (size_t)n : room - 1;
}

static void describe(cg2p_cycles* cycles, const Part* part)
{
   char text[1000];
   const char* measured = cycles->core->title.measured;
   const Workload* load = &cycles->workload;
   const size_t room = sizeof text;
   size_t n =
      snprintf(text, room, "%.200s, %s%.200s", cycles->core->title.name,
               measured[0] ? "measured error in %: " : "table only", measured);
   n += say_share(cycles, text + n, room - n, load->n_uncovered,
                  "without code, as the mean");
   n += say_share(cycles, text + n, room - n, load->n_standard,
                  "unknown to the table");
   n += say_share(cycles, text + n, room - n, load->n_repeated,
                  "repeated, by a rule");
   n += say_share(cycles, text + n, room - n, cycles->prices.n_unvisited,
                  "never visited, as the mean of their function");
   if (!cg2p_gathering_has_event(part, "D1mr"))
      n += snprintf(text + n, room - n, "; caches were not simulated");
   if (!cg2p_gathering_has_event(part, "Bcm"))
      snprintf(text + n, room - n, "; branches were not predicted");
   cg2p_heading_describe(cycles->sum, ESTIMATED_KIND, text);
}

static void define(cg2p_cycles* cycles, const Part* part)
{
   Term terms[CAUSES];
   for (size_t i = 0; i < part->n_definitions; i++)
      cg2p_heading_define(cycles->sum, &part->definitions[i]);
   for (int c = 0; c < CAUSES; c++)
      terms[c] = (Term){1, cg2p_charges_events[c]};
   EventDefinition sum = {"Cyc", "Cycles (estimate)", terms, CAUSES};
   cg2p_heading_define(cycles->sum, &sum);
}

/*--- Parts --------------------------------------------------------------*/

/* Adds a cost that has the events of the sum. */
static void add_cost(cg2p_merge* m, uint64_t* sum, const uint64_t* more)
{
   for (uint32_t i = 0; i < m->part->n_events; i++)
      cg2p_addend_add_number(m, &sum[i], more[i]);
}

/* Adds a line's cycles to it, and it to its function's lines. */
static void add_line(cg2p_cycles* cycles, uint32_t function, Line* line)
{
   cg2p_merge* m = cycles->sum;
   uint32_t n = cycles->spreading.part->n_events;
   uint32_t own = cg2p_merge_function(m, function);
   cg2p_spreading_line(&cycles->spreading, function, line, line->cost + n);
   line->file = cg2p_merge_name(m, line->file);
   if (line->kind != CG2P_COST)
      line->function = cg2p_merge_function(m, line->function);
   if (line->kind == CG2P_JUMP)
      line->target_file = cg2p_merge_name(m, line->target_file);
   cg2p_rows_add(&m->more.rows, &m->failure, line, m->part->n_events);
   if (line->kind == CG2P_COST)
      add_cost(m, cg2p_part_self(m->part, own), line->cost);
   if (line->kind != CG2P_CALL) return;
   uint32_t arc =
      cg2p_part_intern_arc(m->part, &m->failure, own, line->function);
   cg2p_addend_add_number(m, &m->part->arcs[arc].count, line->count);
   add_cost(m, cg2p_part_inclusive(m->part, arc), line->cost);
}

static void add_function(cg2p_cycles* cycles, const Part* part, uint32_t number)
{
   cg2p_merge* m = cycles->sum;
   uint64_t cost[m->part->n_events];
   Line line;
   LineCursor cursor = cg2p_part_lines(part, number);
   m->more.rows.n = 0;
   for (;;) {
      line = (Line){.cost = cost};
      if (!cg2p_lines_next(&cursor, &line)) break;
      add_line(cycles, number, &line);
   }
   cg2p_merge_add_rows(m, cg2p_merge_function(m, number));
}

static void add_functions(cg2p_cycles* cycles, const Part* part)
{
   for (uint32_t f = 0; f < part->n_functions; f++)
      cg2p_merge_function(cycles->sum, f);
   for (uint32_t f = 0; f < part->n_functions; f++)
      if (cg2p_part_first_run(part, f)) add_function(cycles, part, f);
}

static uint32_t event_ir(const Part* part)
{
   uint32_t e = 0;
   while (strcmp(part->events[e], "Ir"))
      e++;
   return e;
}

/* Runs under the sum's failure, which cg2p_merge_begin_part sets anew. */
static int add_part(cg2p_cycles* cycles, size_t number)
{
   cg2p_merge* m = cycles->sum;
   const Part* part = cycles->profile->parts[number];
   uint32_t n = part->n_events;
   const char* events[n + CAUSES];
   uint32_t same[n + 1];
   for (uint32_t e = 0; e < n; e++)
      events[same[e] = e] = part->events[e];
   memcpy(events + n, cg2p_charges_events, CAUSES * sizeof *events);
   cg2p_form form = {.events = events, .n_events = n + CAUSES};
   cg2p_mapping mapping = {.events = same};
   if (!cg2p_merge_begin_part(m, cycles->profile, number, &form,
                              cycles->failure.error))
      return 0;
   if (setjmp(m->failure.caught)) return 0;
   cg2p_merge_open(m, cycles->profile, part, &mapping);
   define(cycles, part);
   describe(cycles, part);
   cg2p_spreading_begin(&cycles->spreading, &m->failure, &cycles->prices,
                        &cycles->objects, part, event_ir(part));
   add_functions(cycles, part);
   cg2p_spreading_free(&cycles->spreading);
   cycles->spreading = (Spreading){.part = NULL};
   return 1;
}

static cg2p_profile* made(cg2p_cycles* cycles)
{
   cg2p_error* error = cycles->failure.error;
   bool fits = true;
   cycles->sum = cg2p_merge_new();
   if (!cycles->sum) {
      cg2p_failure_say_no_memory(error, cycles->profile->path);
      return NULL;
   }
   for (size_t p = 0; fits && p < cycles->profile->n_parts; p++)
      fits = add_part(cycles, p);
   if (!fits) return NULL;
   cg2p_profile* made = cg2p_merge_end(cycles->sum, error);
   cycles->sum = NULL;
   return made;
}

/* Gives back what was made. */
static void forget(cg2p_cycles* cycles)
{
   cg2p_spreading_free(&cycles->spreading);
   cg2p_bounds_free(&cycles->bounds);
   cg2p_prices_free(&cycles->prices);
   cg2p_walkers_free(&cycles->walkers);
   cg2p_forwards_free(&cycles->forwards);
   cg2p_work_free(&cycles->workload);
   cg2p_controlgraph_free(&cycles->graph);
   cg2p_gathering_free(&cycles->gathering);
   cg2p_merge_free(cycles->sum);
}

cg2p_profile*
cg2p_cycles_end(cg2p_cycles* cycles, uint64_t seed, cg2p_error* error)
{
   cycles->failure.error = error;
   return estimate(cycles, seed) ? made(cycles) : NULL;
}

const cg2p_bound* cg2p_cycles_bounds(const cg2p_cycles* cycles, size_t* n)
{
   *n = cycles->bounds.n;
   return cycles->bounds.of;
}

void cg2p_cycles_free(cg2p_cycles* cycles)
{
   if (!cycles) return;
   forget(cycles);
   cg2p_gathering_free_objects(&cycles->objects);
   free(cycles);
}
