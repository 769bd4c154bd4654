#include "making.h"

#include <stdlib.h>
#include <string.h>

static const char small_shares[] = "(small shares)";
const Name cg2p_small_shares = {small_shares, sizeof small_shares - 1};

/*--- Making -------------------------------------------------------------*/

static void find_total(Making* m)
{
   const Part* part = m->part;
   size_t width = part->n_events;
   uint64_t* total = m->made->total =
      cg2p_allocate(&m->failure, width * sizeof *total);
   m->limits = cg2p_allocate(&m->failure, width * sizeof *m->limits);
   for (size_t i = 0; i < part->n_functions * width; i++)
      if (__builtin_add_overflow(total[i % width], part->self[i],
                                 &total[i % width]))
         cg2p_fail_at(&m->failure, part->events_line,
                      "the costs of %s add up to more than 64 bits; expected "
                      "a sum that fits",
                      part->events[i % width]);
   for (size_t i = 0; i < width; i++)
      m->limits[i] = m->smallest * (double)total[i];
}

/* Makes what ways and trees need. */
static void begin_ways(Making* m)
{
   Failure* failure = &m->failure;
   size_t n = m->part->n_functions + 1, width = m->part->n_events;
   m->rows = cg2p_allocate(failure, n * sizeof *m->rows);
   for (size_t i = 0; i < n; i++)
      m->rows[i] = (Row){CG2P_NONE, CG2P_NONE, 0};
   m->is_apportioned = cg2p_allocate(failure, n);
   m->placed = cg2p_allocate(failure, n * sizeof *m->placed);
   m->rest = cg2p_allocate(failure, width * sizeof *m->rest);
   m->small.sum = cg2p_allocate(failure, width * sizeof *m->small.sum);
   m->small.largest = cg2p_allocate(failure, width * sizeof *m->small.largest);
   m->small_stack = CG2P_NONE;
   Trees* trees = &m->trees;
   trees->circle = CG2P_NONE;
   trees->first = cg2p_allocate(failure, n * sizeof *trees->first);
   trees->made = cg2p_allocate(failure, n * sizeof *trees->made);
   trees->reached = cg2p_allocate(failure, n * sizeof *trees->reached);
}

/* Makes the share of a function's only stack: all. */
static void begin_shares(Making* m)
{
   cg2p_stacks* made = m->made;
   made->shares = cg2p_grow(&m->failure, NULL, &made->shares_room,
                            m->part->n_events, sizeof *made->shares);
   for (uint32_t i = 0; i < m->part->n_events; i++)
      made->shares[i] = 1;
   made->n_shares = 1;
}

static void make(Making* m)
{
   cg2p_stacks* made = m->made;
   made->small = m->part->n_functions;
   find_total(m);
   cg2p_calls_read(&m->calls, &m->failure, &m->scratch, m->part, m->by_line);
   cg2p_short_names_make(&made->names, &m->failure, &made->profile->names,
                         m->part, &m->calls);
   begin_ways(m);
   begin_shares(m);
   cg2p_circles_add(m);
   cg2p_costs_divide(m);
   cg2p_stacks_number(m);
}

/* Frees all but the stacks that were made. */
static void end(Making* m)
{
   cg2p_arena_free(&m->scratch);
   cg2p_calls_free(&m->calls);
   free(m->rows);
   free(m->is_apportioned);
   free(m->placed);
   free(m->limits);
   free(m->rest);
   free(m->ways.of);
   free(m->ways.costs);
   free(m->small.sum);
   free(m->small.largest);
   free(m->trees.first);
   free(m->trees.made);
   free(m->trees.calls);
   free(m->trees.heap);
   free(m->trees.reached);
   free(m->stacks);
   free(m->weights);
   free(m->remainders);
}

/* Whether the stacks are made; if not, the error says why. */
static bool try_to_make(Making* m, const cg2p_profile* profile)
{
   if (setjmp(m->failure.caught)) return false;
   m->made = cg2p_allocate(&m->failure, sizeof *m->made);
   m->made->profile = profile;
   m->made->part = m->part;
   make(m);
   return true;
}

cg2p_stacks* cg2p_stacks_make(const cg2p_profile* profile,
                              const cg2p_part* part,
                              double smallest,
                              int by_line,
                              cg2p_error* error)
{
   Making m = {.failure = {.path = profile->path, .error = error},
               .part = part,
               .smallest = smallest,
               .by_line = by_line};
   bool is_made = try_to_make(&m, profile);
   end(&m);
   if (is_made) return m.made;
   cg2p_stacks_free(m.made);
   return NULL;
}

void cg2p_stacks_free(cg2p_stacks* stacks)
{
   if (!stacks) return;
   free(stacks->of);
   free(stacks->origins);
   free(stacks->inclusive);
   free(stacks->self);
   free(stacks->total);
   free(stacks->shares);
   cg2p_short_names_free(&stacks->names);
   cg2p_division_free(&stacks->division);
   free(stacks);
}

/*--- What was made ------------------------------------------------------*/

size_t cg2p_stack_count(const cg2p_stacks* stacks)
{
   return stacks->n;
}

const cg2p_stack* cg2p_stack_array(const cg2p_stacks* stacks)
{
   return stacks->of;
}

const uint64_t* cg2p_stack_self_costs(const cg2p_stacks* stacks)
{
   return stacks->self;
}

const uint64_t* cg2p_stack_inclusive_costs(const cg2p_stacks* stacks)
{
   return stacks->inclusive;
}

uint64_t cg2p_stacks_apportioned(const cg2p_stacks* stacks)
{
   return stacks->apportioned;
}

const char* cg2p_stack_function_name(const cg2p_stacks* stacks,
                                     uint32_t function,
                                     size_t* length)
{
   const Name* name = cg2p_short_name(stacks, function);
   if (length) *length = name->length;
   return name->text;
}
