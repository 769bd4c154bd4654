/* Finds the stacks of a part: which calls led to its costs. */
#include "stacks/callcycles.h"
#include "stacks/division.h"
#include "stacks/stackorder.h"
#include "stacks/threadroots.h"

static void find_total(Maker* m)
{
   const Part* part = m->part;
   size_t width = part->n_events;
   uint64_t* total = m->made->total =
      cg2p_memory_allocate(&m->failure, width * sizeof *total);
   m->entry.limits =
      cg2p_memory_allocate(&m->failure, width * sizeof *m->entry.limits);
   for (size_t i = 0; i < part->n_functions * width; i++)
      if (__builtin_add_overflow(total[i % width], part->self[i],
                                 &total[i % width]))
         cg2p_failure_at(
            &m->failure, part->events_line,
            "the costs of %s add up to more than 64 bits; expected "
            "a sum that fits",
            part->events[i % width]);
   for (size_t i = 0; i < width; i++)
      m->entry.limits[i] = m->smallest * (double)total[i];
}

static void make(Maker* m)
{
   cg2p_stacks* made = m->made;
   made->small = m->part->n_functions;
   find_total(m);
   cg2p_calls_read(&m->calls, &m->failure, &m->scratch, m->part, m->by_line);
   cg2p_plainname_make(&made->names, &m->failure, &made->profile->names,
                       m->part, &m->calls);
   cg2p_maker_begin(m);
   cg2p_threadroots_find(m);
   cg2p_callcycles_add(m);
   cg2p_division_divide(m);
   cg2p_stackorder_number(m);
}

/* Whether the stacks are made; if not, the error says why. */
static bool try_to_make(Maker* m, const cg2p_profile* profile)
{
   if (setjmp(m->failure.caught)) return false;
   m->made = cg2p_memory_allocate(&m->failure, sizeof *m->made);
   m->made->profile = profile;
   m->made->part = m->part;
   make(m);
   return true;
}

cg2p_stacks* cg2p_stacks_new(const cg2p_profile* profile,
                             const cg2p_part* part,
                             double smallest,
                             int by_line,
                             cg2p_error* error)
{
   Maker m = {.failure = {.path = profile->path, .error = error},
              .part = part,
              .smallest = smallest,
              .by_line = by_line};
   bool is_made = try_to_make(&m, profile);
   cg2p_maker_end(&m);
   if (is_made) return m.made;
   cg2p_stacks_free(m.made);
   return NULL;
}
