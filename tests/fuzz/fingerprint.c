#include "fingerprint.h"

#include "memfile.h"

#include <stdlib.h>
#include <string.h>

/* A part while it is gone through. */
typedef struct Walk {
   const cg2p_profile* profile;
   const cg2p_part* part;
   uint32_t n_events;
   uint64_t calls; /* how many there were */
   Fingerprint* found;
} Walk;

/*--- Hashes -------------------------------------------------------------*/

static uint64_t mix(uint64_t hash, uint64_t number)
{
   hash = (hash ^ number) * 0x9e3779b97f4a7c15;
   return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const char* text, size_t length)
{
   for (size_t i = 0; i < length; i++)
      hash = mix(hash, (unsigned char)text[i]);
   return mix(hash, length);
}

static uint64_t mix_name(const Walk* walk, uint64_t hash, uint32_t name)
{
   size_t length;
   const char* text = cg2p_profile_name(walk->profile, name, &length);
   return mix_text(hash, text, length);
}

static uint64_t mix_function(const Walk* walk, uint64_t hash, uint32_t number)
{
   const cg2p_function* function = &cg2p_part_functions(walk->part)[number];
   hash = mix_name(walk, hash, function->object);
   hash = mix_name(walk, hash, function->file);
   return mix_name(walk, hash, function->name);
}

static uint64_t mix_place(uint64_t hash, const cg2p_place* place)
{
   return mix(mix(mix(hash, place->instr), place->line), place->block);
}

/* The sum of a cost's numbers, each so often as the event and `hash` say. */
static uint64_t weigh(const Walk* walk, uint64_t hash, const uint64_t* cost)
{
   uint64_t sum = 0;
   for (uint32_t i = 0; i < walk->n_events; i++) {
      const char* event = cg2p_part_event(walk->part, i);
      sum += cost[i] * mix_text(hash, event, strlen(event));
   }
   return sum;
}

/*--- Lines --------------------------------------------------------------*/

static void add_line(Walk* walk, uint64_t hash, const cg2p_line* line)
{
   enum { CALLED = 1, TAKEN, EXECUTED };
   hash = mix_place(mix_name(walk, hash, line->file), &line->at);
   if (line->kind == CG2P_COST) {
      walk->found->costs += weigh(walk, hash, line->cost);
      return;
   }
   hash = mix_place(mix_function(walk, hash, line->function), &line->target);
   if (line->kind == CG2P_CALL) {
      walk->calls += line->count;
      walk->found->calls += line->count * mix(hash, CALLED);
      walk->found->calls += weigh(walk, hash, line->cost);
   } else {
      hash = mix(mix_name(walk, hash, line->target_file), line->is_conditional);
      walk->found->jumps += line->count * mix(hash, TAKEN);
      walk->found->jumps += line->executed * mix(hash, EXECUTED);
   }
}

static void add_function(Walk* walk, uint32_t number)
{
   enum { EVENTS = 64 };
   uint64_t sums[EVENTS] = {0};
   uint32_t n = walk->n_events < EVENTS ? walk->n_events : EVENTS;
   uint64_t hash = mix_function(walk, 0, number);
   cg2p_line line;
   cg2p_cursor* cursor = cg2p_cursor_new(walk->part, number);
   if (!cursor) fail("there is no memory for a cursor");
   while (cg2p_cursor_next(cursor, &line)) {
      add_line(walk, hash, &line);
      for (uint32_t i = 0; i < n && line.kind == CG2P_COST; i++)
         sums[i] += line.cost[i];
   }
   cg2p_cursor_free(cursor);
   const uint64_t* self =
      cg2p_part_self_costs(walk->part) + (size_t)number * walk->n_events;
   if (memcmp(self, sums, n * sizeof *sums))
      fail("lines do not add up to the function's cost");
}

static void add_part(Walk* walk)
{
   const cg2p_arc* arcs = cg2p_part_arcs(walk->part);
   for (size_t i = 0; i < cg2p_part_function_count(walk->part); i++)
      add_function(walk, i);
   for (size_t i = 0; i < cg2p_part_arc_count(walk->part); i++)
      walk->calls -= arcs[i].count;
   if (walk->calls) fail("arcs have not as many calls as lines");
}

Fingerprint fingerprint_of(const cg2p_profile* profile)
{
   Fingerprint found = {0, 0, 0};
   for (size_t i = 0; i < cg2p_profile_part_count(profile); i++) {
      const cg2p_part* part = cg2p_profile_part(profile, i);
      add_part(&(Walk){.profile = profile,
                       .part = part,
                       .n_events = cg2p_part_event_count(part),
                       .found = &found});
   }
   return found;
}

Fingerprint fingerprint_sum(Fingerprint a, Fingerprint b)
{
   return (Fingerprint){a.costs + b.costs, a.calls + b.calls,
                        a.jumps + b.jumps};
}

bool is_same_fingerprint(Fingerprint a, Fingerprint b)
{
   return a.costs == b.costs && a.calls == b.calls && a.jumps == b.jumps;
}
