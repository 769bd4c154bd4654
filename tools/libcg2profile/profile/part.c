#include "profile/part.h"

#include <stdlib.h>
#include <string.h>

/*--- What functions and arcs are hashed to ------------------------------*/

static uint32_t hash_key(const cg2p_function* key)
{
   uint64_t numbers[] = {(uint64_t)key->object << 32 | key->file, key->name};
   return cg2p_hash_numbers(numbers, 2);
}

static uint32_t hash_arc(const cg2p_arc* arc)
{
   return cg2p_hash_number((uint64_t)arc->caller << 32 | arc->callee);
}

/*--- Functions and arcs -------------------------------------------------*/

/* Gives an array of costs room for number `n`, and clears that. */
static uint64_t* grow_costs(
   const Part* part, Failure* failure, uint64_t* costs, size_t* room, size_t n)
{
   size_t width = part->n_events;
   costs =
      cg2p_memory_grow(failure, costs, room, (n + 1) * width, sizeof(uint64_t));
   memset(costs + n * width, 0, width * sizeof(uint64_t));
   return costs;
}

uint32_t cg2p_part_add_function(Part* part, Failure* failure, cg2p_function key)
{
   size_t n = part->n_functions;
   if (n >= UINT32_MAX - 1) cg2p_failure_memory(failure, SIZE_MAX);
   part->functions =
      cg2p_memory_grow(failure, part->functions, &part->functions_room, n + 1,
                       sizeof *part->functions);
   part->self = grow_costs(part, failure, part->self, &part->self_room, n);
   part->functions[n] = key;
   return part->n_functions++;
}

static void add_namesake(Part* part, Failure* failure, uint32_t function)
{
   cg2p_hash_add(&part->namesakes, failure,
                 hash_key(&part->functions[function]), function);
}

/* The function with this key among those that share their names with others;
 * CG2P_NONE: it is not there. */
static uint32_t namesake_of(const Part* part, const cg2p_function* key)
{
   return cg2p_hash_find(&part->namesakes, hash_key(key), i,
                         cg2p_part_is_function(&part->functions[i], key));
}

/* The function with this key; function number `other` has the same name. */
static uint32_t
find_namesake(Part* part, Failure* failure, cg2p_function key, uint32_t other)
{
   uint32_t found = namesake_of(part, &key);
   if (found != CG2P_NONE) return found;
   if (namesake_of(part, &part->functions[other]) == CG2P_NONE)
      add_namesake(part, failure, other);
   uint32_t number = cg2p_part_add_function(part, failure, key);
   add_namesake(part, failure, number);
   return number;
}

uint32_t
cg2p_part_intern_function(Part* part, Failure* failure, cg2p_function key)
{
   part->by_name =
      cg2p_memory_grow_cleared(failure, part->by_name, &part->n_by_name,
                               key.name + 1, sizeof *part->by_name);
   uint32_t* last = &part->by_name[key.name];
   if (!*last)
      *last = cg2p_part_add_function(part, failure, key) + 1;
   else if (!cg2p_part_is_function(&part->functions[*last - 1], &key))
      *last = find_namesake(part, failure, key, *last - 1) + 1;
   return *last - 1;
}

static uint32_t add_arc(Part* part, Failure* failure, cg2p_arc arc)
{
   size_t n = part->n_arcs;
   if (n >= UINT32_MAX - 1) cg2p_failure_memory(failure, SIZE_MAX);
   part->arcs = cg2p_memory_grow(failure, part->arcs, &part->arcs_room, n + 1,
                                 sizeof *part->arcs);
   part->inclusive =
      grow_costs(part, failure, part->inclusive, &part->inclusive_room, n);
   part->arcs[n] = arc;
   return part->n_arcs++;
}

static bool is_arc(const cg2p_arc* a, const cg2p_arc* b)
{
   return a->caller == b->caller && a->callee == b->callee;
}

static uint32_t find_mixed_arc(Part* part, Failure* failure, cg2p_arc arc)
{
   Hash* table = &part->arc_table;
   for (size_t i = table->n; i < part->n_arcs; i++)
      cg2p_hash_add(table, failure, hash_arc(&part->arcs[i]), i);
   uint32_t found =
      cg2p_hash_find(table, hash_arc(&arc), i, is_arc(&part->arcs[i], &arc));
   return found == CG2P_NONE ? add_arc(part, failure, arc) : found;
}

/* Begins the arcs of a caller behind all others. */
static void begin_caller(Part* part, Failure* failure, uint32_t caller)
{
   ArcRow* row = &part->arc_row;
   row->calls = cg2p_memory_grow_cleared(failure, row->calls, &row->n_calls,
                                         caller + 1, sizeof *row->calls);
   row->is_mixed |= row->calls[caller];
   row->calls[caller] = true;
   row->first = part->n_arcs;
}

/* The arcs of a caller of few are searched: they were just written, and what
 * is kept by callee may be anywhere in memory. */
enum { FEW = 8 };

/* The arc of the caller whose arcs are added, which is added if it is new. */
static uint32_t find_in_row(Part* part, Failure* failure, cg2p_arc arc)
{
   ArcRow* row = &part->arc_row;
   size_t n = part->n_arcs;
   if (n - row->first <= FEW) {
      for (size_t i = row->first; i < n; i++)
         if (part->arcs[i].callee == arc.callee) return i;
      if (n - row->first < FEW) return add_arc(part, failure, arc);
   }
   row->into = cg2p_memory_grow_cleared(failure, row->into, &row->n_into,
                                        part->n_functions, sizeof *row->into);
   for (size_t i = row->first; n - row->first == FEW && i < n; i++)
      row->into[part->arcs[i].callee] = i + 1;
   uint32_t* last = &row->into[arc.callee];
   if (*last <= row->first) *last = add_arc(part, failure, arc) + 1;
   return *last - 1;
}

uint32_t cg2p_part_intern_arc(Part* part,
                              Failure* failure,
                              uint32_t caller,
                              uint32_t callee)
{
   size_t n = part->n_arcs;
   cg2p_arc arc = {.caller = caller, .callee = callee};
   if (!part->arc_row.is_mixed && (!n || part->arcs[n - 1].caller != caller))
      begin_caller(part, failure, caller);
   return part->arc_row.is_mixed ? find_mixed_arc(part, failure, arc)
                                 : find_in_row(part, failure, arc);
}

Runs* cg2p_part_runs(Part* part, Failure* failure, uint32_t function)
{
   part->runs = cg2p_memory_grow_cleared(failure, part->runs, &part->n_runs,
                                         function + 1, sizeof *part->runs);
   return &part->runs[function];
}

void cg2p_part_fetch_lines(const Part* part, uint32_t function, unsigned step)
{
   if (function >= part->n_runs) return;
   if (step == 0) {
      __builtin_prefetch(&part->runs[function]);
      return;
   }
   uint32_t first = part->runs[function].first;
   if (!first) return;
   const Run* run = &part->lines.runs[first - 1];
   __builtin_prefetch(step == 1 ? (const void*)run : run->bytes);
}

/*--- The end ------------------------------------------------------------*/

bool cg2p_part_needs_totals(const cg2p_profile* profile)
{
   static const char creator[] = "callgrind-cg2-";
   return !strncmp(profile->creator, creator, sizeof creator - 1);
}

void cg2p_part_end(Part* part)
{
   cg2p_lines_end(&part->lines);
   free(part->by_name);
   free(part->arc_row.calls);
   free(part->arc_row.into);
   part->arc_row = (ArcRow){.first = 0};
   cg2p_hash_free(&part->namesakes);
   cg2p_hash_free(&part->arc_table);
   part->by_name = NULL;
   part->n_by_name = 0;
}

void cg2p_part_free(Part* part)
{
   if (!part) return;
   cg2p_part_end(part);
   free(part->descriptions);
   free(part->skipped);
   free(part->definitions);
   free(part->functions);
   free(part->runs);
   free(part->self);
   free(part->arcs);
   free(part->inclusive);
   free(part->paths);
   cg2p_lines_free(&part->lines);
   free(part);
}

void cg2p_profile_free(cg2p_profile* profile)
{
   if (!profile) return;
   for (size_t i = 0; i < profile->n_parts; i++)
      cg2p_part_free(profile->parts[i]);
   free(profile->parts);
   cg2p_names_free(&profile->names);
   cg2p_arena_free(&profile->texts);
   free(profile);
}

void cg2p_part_check_addresses(Failure* failure, const Part* part)
{
   if (part->has_paths)
      cg2p_failure_at(failure, 1, "paths of calls; expected a profile");
   for (size_t d = 0; d < part->n_descriptions; d++)
      if (!strcmp(part->descriptions[d].kind, CG2P_INLINED_KIND))
         cg2p_failure_at(failure, 1,
                         "inlined functions are functions of their own in it; "
                         "expected a profile as it was recorded");
   for (uint32_t c = 0; c < part->n_columns; c++)
      if (part->columns[c] == COLUMN_INSTR) return;
   cg2p_failure_at(failure, part->positions_line ? part->positions_line : 1,
                   "the profile has no addresses; expected one that was made "
                   "with --dump-instr=yes");
}
