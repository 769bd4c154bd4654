#include "stacks/threadroots.h"

#include <string.h>

/* What begins threads in glibc, musl and Go, by any of the names that it has.
 */
static const char* const known[] = {"clone",
                                    "__clone",
                                    "clone3",
                                    "__clone3",
                                    "__clone_internal",
                                    "runtime.clone",
                                    "runtime.clone.abi0"};

static bool is_known(const StoredName* name)
{
   for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      if (name->length == strlen(known[i]) &&
          !memcmp(name->text, known[i], name->length))
         return true;
   return false;
}

/* Whether calls by a function cost anything. */
static bool are_calls_costly(const Calls* calls, uint32_t function)
{
   const uint64_t* cost = cg2p_calls_cost(calls, calls->first[function]);
   const uint64_t* end = cg2p_calls_cost(calls, calls->first[function + 1]);
   while (cost < end)
      if (*cost++) return true;
   return false;
}

/* Notes which functions may be roots of threads. Whether one may. */
static bool note_known(Maker* m)
{
   bool is_any = false;
   for (uint32_t i = 0; i < m->part->n_functions; i++) {
      m->roots.is_root[i] = is_known(cg2p_stacks_plain_name(m->made, i)) &&
                            are_calls_costly(&m->calls, i);
      is_any |= m->roots.is_root[i];
   }
   return is_any;
}

static Groups by_callee(Maker* m)
{
   uint32_t n = m->calls.n;
   uint32_t* callees =
      cg2p_arena_add(&m->scratch, &m->failure, n * sizeof *callees);
   for (uint32_t i = 0; i < n; i++)
      callees[i] = m->calls.of[i].callee;
   return cg2p_components_group(&m->scratch, &m->failure, callees, n,
                                m->part->n_functions);
}

/* Whether calls of a function can have ended in it, without calling anything:
 * together they cost no more of any event than the function itself. */
static bool can_end(const Maker* m, const Groups* by_callee, uint32_t function)
{
   const uint64_t* self = cg2p_part_self(m->part, function);
   for (uint32_t event = 0; event < m->part->n_events; event++) {
      uint64_t left = self[event];
      for (uint32_t i = by_callee->first[function];
           i < by_callee->first[function + 1]; i++) {
         uint64_t cost = cg2p_calls_cost(&m->calls, by_callee->items[i])[event];
         if (cost > left) return false;
         left -= cost;
      }
   }
   return true;
}

void cg2p_threadroots_find(Maker* m)
{
   uint32_t n = m->part->n_functions;
   m->roots.is_root = cg2p_memory_allocate(&m->failure, n + 1);
   if (!note_known(m)) return;
   Groups calls = by_callee(m);
   for (uint32_t i = 0; i < n; i++) {
      m->roots.is_root[i] = m->roots.is_root[i] && can_end(m, &calls, i);
      m->roots.has_any |= m->roots.is_root[i];
   }
}
