#include "profile/profile.h"

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

/* Gives a table room for two more; hash(part, i) is that of number i. */
static void grow_table(Table* table,
                       Failure* failure,
                       uint64_t (*hash)(const Part* part, size_t i),
                       const Part* part)
{
   enum { LEAST = 64 };
   if (2 * (table->n + 2) < table->n_buckets) return;
   size_t n = table->n_buckets ? 2 * table->n_buckets : LEAST;
   uint32_t* grown = cg2p_allocate(failure, n * sizeof *grown);
   for (size_t old = 0; old < table->n_buckets; old++) {
      if (!table->buckets[old]) continue;
      size_t i = hash(part, table->buckets[old] - 1) & (n - 1);
      while (grown[i])
         i = (i + 1) & (n - 1);
      grown[i] = table->buckets[old];
   }
   free(table->buckets);
   table->buckets = grown;
   table->n_buckets = n;
}

/* Puts a number where it belongs; nothing changes if it is there. */
static void put(Table* table, uint32_t* bucket, uint32_t number)
{
   table->n += !*bucket;
   *bucket = number + 1;
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

uint32_t cg2p_part_add_function(Part* part, Failure* failure, cg2p_function key)
{
   size_t n = part->n_functions;
   if (n >= UINT32_MAX - 1) cg2p_fail_memory(failure, SIZE_MAX);
   part->functions = cg2p_grow(failure, part->functions, &part->functions_room,
                               n + 1, sizeof *part->functions);
   part->self = grow_costs(part, failure, part->self, &part->self_room, n);
   part->functions[n] = key;
   return part->n_functions++;
}

/* Where a function is among those that share their names with others, or would
 * be. */
static uint32_t* namesake_of(const Part* part, const cg2p_function* key)
{
   const Table* table = &part->namesakes;
   size_t mask = table->n_buckets - 1, i = hash_key(key) & mask;
   while (table->buckets[i] &&
          !cg2p_is_function(&part->functions[table->buckets[i] - 1], key))
      i = (i + 1) & mask;
   return &table->buckets[i];
}

/* The function with this key; function number `other` has the same name. */
static uint32_t
find_namesake(Part* part, Failure* failure, cg2p_function key, uint32_t other)
{
   Table* table = &part->namesakes;
   grow_table(table, failure, hash_of_function, part);
   uint32_t* bucket = namesake_of(part, &key);
   if (*bucket) return *bucket - 1;
   put(table, namesake_of(part, &part->functions[other]), other);
   uint32_t number = cg2p_part_add_function(part, failure, key);
   put(table, namesake_of(part, &key), number);
   return number;
}

uint32_t cg2p_part_function(Part* part, Failure* failure, cg2p_function key)
{
   part->by_name = cg2p_grow_cleared(failure, part->by_name, &part->n_by_name,
                                     key.name + 1, sizeof *part->by_name);
   uint32_t* last = &part->by_name[key.name];
   if (!*last)
      *last = cg2p_part_add_function(part, failure, key) + 1;
   else if (!cg2p_is_function(&part->functions[*last - 1], &key))
      *last = find_namesake(part, failure, key, *last - 1) + 1;
   return *last - 1;
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

static uint32_t* bucket_of_arc(const Part* part, const cg2p_arc* arc)
{
   const Table* table = &part->arc_table;
   size_t mask = table->n_buckets - 1, i = hash_arc(arc) & mask;
   for (; table->buckets[i]; i = (i + 1) & mask) {
      const cg2p_arc* known = &part->arcs[table->buckets[i] - 1];
      if (known->caller == arc->caller && known->callee == arc->callee) break;
   }
   return &table->buckets[i];
}

static uint32_t find_mixed_arc(Part* part, Failure* failure, cg2p_arc arc)
{
   Table* table = &part->arc_table;
   while (table->n < part->n_arcs) {
      grow_table(table, failure, hash_of_arc, part);
      put(table, bucket_of_arc(part, &part->arcs[table->n]), table->n);
   }
   grow_table(table, failure, hash_of_arc, part);
   uint32_t* bucket = bucket_of_arc(part, &arc);
   if (!*bucket) put(table, bucket, add_arc(part, failure, arc));
   return *bucket - 1;
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

void cg2p_part_end(Part* part)
{
   cg2p_lines_end(&part->lines);
   free(part->by_name);
   free(part->namesakes.buckets);
   free(part->arc_table.buckets);
   part->by_name = NULL;
   part->n_by_name = 0;
   part->namesakes = part->arc_table = (Table){.n = 0};
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
   free(part->links);
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
