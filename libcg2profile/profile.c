#include "profile.h"

#include <stdlib.h>
#include <string.h>

/*--- Tables -------------------------------------------------------------*/

static uint64_t mix(uint64_t hash)
{
   hash *= 0x9e3779b97f4a7c15ull;
   return hash ^ hash >> 32;
}

static uint64_t hash_key(const cg2p_function* key)
{
   return mix(mix((uint64_t)key->object << 32 | key->file) + key->name);
}

static uint64_t hash_arc(const cg2p_arc* arc)
{
   return mix((uint64_t)arc->caller << 32 | arc->callee);
}

/* Gives a table room for one more of `n`; hash(part, i) is that of number i. */
static void grow_table(Table* table,
                       Failure* failure,
                       size_t n,
                       uint64_t (*hash)(const Part* part, size_t i),
                       const Part* part)
{
   enum { LEAST = 64 };
   if (2 * n < table->n_buckets) return;
   Table grown = {.n_buckets = LEAST};
   while (grown.n_buckets <= 2 * n)
      grown.n_buckets *= 2;
   grown.buckets =
      cg2p_allocate(failure, grown.n_buckets * sizeof *grown.buckets);
   size_t mask = grown.n_buckets - 1;
   for (size_t number = 0; number < n; number++) {
      size_t i = hash(part, number) & mask;
      while (grown.buckets[i])
         i = (i + 1) & mask;
      grown.buckets[i] = number + 1;
   }
   free(table->buckets);
   *table = grown;
}

static uint64_t hash_of_function(const Part* part, size_t i)
{
   return hash_key(&part->functions[i]);
}

static uint64_t hash_of_arc(const Part* part, size_t i)
{
   return hash_arc(&part->arcs[i]);
}

/*--- Functions and arcs -------------------------------------------------*/

/* Gives an array of costs room for number `n`, and clears that. */
static uint64_t* grow_costs(
   const Part* part, Failure* failure, uint64_t* costs, size_t* room, size_t n)
{
   size_t width = part->n_events;
   costs = cg2p_grow(failure, costs, room, (n + 1) * width, sizeof(uint64_t));
   memset(costs + n * width, 0, width * sizeof(uint64_t));
   return costs;
}

static uint32_t add_function(Part* part, Failure* failure, cg2p_function key)
{
   size_t n = part->n_functions;
   if (n >= UINT32_MAX - 1) cg2p_fail_memory(failure, SIZE_MAX);
   part->functions = cg2p_grow(failure, part->functions, &part->functions_room,
                               n + 1, sizeof *part->functions);
   part->self = grow_costs(part, failure, part->self, &part->self_room, n);
   part->functions[n] = key;
   return part->n_functions++;
}

uint32_t cg2p_part_function(Part* part, Failure* failure, cg2p_function key)
{
   Table* table = &part->function_table;
   grow_table(table, failure, part->n_functions, hash_of_function, part);
   size_t mask = table->n_buckets - 1, i = hash_key(&key) & mask;
   for (; table->buckets[i]; i = (i + 1) & mask) {
      uint32_t number = table->buckets[i] - 1;
      if (cg2p_is_function(&part->functions[number], &key)) return number;
   }
   uint32_t number = add_function(part, failure, key);
   table->buckets[i] = number + 1;
   return number;
}

static uint32_t add_arc(Part* part, Failure* failure, cg2p_arc arc)
{
   size_t n = part->n_arcs;
   if (n >= UINT32_MAX - 1) cg2p_fail_memory(failure, SIZE_MAX);
   part->arcs = cg2p_grow(failure, part->arcs, &part->arcs_room, n + 1,
                          sizeof *part->arcs);
   part->inclusive =
      grow_costs(part, failure, part->inclusive, &part->inclusive_room, n);
   part->arcs[n] = arc;
   part->links[arc.caller].has_arcs = true;
   part->links[arc.callee].last_into = n + 1;
   part->links[arc.callee].last_caller = arc.caller;
   return part->n_arcs++;
}

static uint32_t find_mixed_arc(Part* part, Failure* failure, cg2p_arc arc)
{
   Table* table = &part->arc_table;
   grow_table(table, failure, part->n_arcs, hash_of_arc, part);
   size_t mask = table->n_buckets - 1, i = hash_arc(&arc) & mask;
   for (; table->buckets[i]; i = (i + 1) & mask) {
      const cg2p_arc* known = &part->arcs[table->buckets[i] - 1];
      if (known->caller == arc.caller && known->callee == arc.callee)
         return table->buckets[i] - 1;
   }
   uint32_t number = add_arc(part, failure, arc);
   table->buckets[i] = number + 1;
   return number;
}

uint32_t
cg2p_part_arc(Part* part, Failure* failure, uint32_t caller, uint32_t callee)
{
   part->links = cg2p_grow_cleared(failure, part->links, &part->n_links,
                                   part->n_functions, sizeof *part->links);
   const Links* into = &part->links[callee];
   if (into->last_into && into->last_caller == caller)
      return into->last_into - 1;
   if (part->links[caller].has_arcs &&
       part->arcs[part->n_arcs - 1].caller != caller)
      part->is_mixed = true;
   cg2p_arc arc = {.caller = caller, .callee = callee};
   return part->is_mixed ? find_mixed_arc(part, failure, arc)
                         : add_arc(part, failure, arc);
}

Runs* cg2p_part_runs(Part* part, Failure* failure, uint32_t function)
{
   part->runs = cg2p_grow_cleared(failure, part->runs, &part->n_runs,
                                  function + 1, sizeof *part->runs);
   return &part->runs[function];
}

/*--- The end ------------------------------------------------------------*/

void cg2p_part_free(Part* part)
{
   if (!part) return;
   free(part->descriptions);
   free(part->skipped);
   free(part->definitions);
   free(part->functions);
   free(part->runs);
   free(part->links);
   free(part->function_table.buckets);
   free(part->self);
   free(part->arcs);
   free(part->arc_table.buckets);
   free(part->inclusive);
   cg2p_lines_free(&part->lines);
   free(part);
}

void cg2p_free(cg2p_profile* profile)
{
   if (!profile) return;
   for (size_t i = 0; i < profile->n_parts; i++)
      cg2p_part_free(profile->parts[i]);
   free(profile->parts);
   cg2p_names_free(&profile->names);
   cg2p_arena_free(&profile->texts);
   free(profile);
}
