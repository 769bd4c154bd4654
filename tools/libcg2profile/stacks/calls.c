#include "stacks/calls.h"

#include <stdlib.h>
#include <string.h>

static void
add_call(Calls* calls, Failure* failure, const Call* call, const uint64_t* cost)
{
   size_t width = calls->n_events;
   if (calls->n >= UINT32_MAX - 1) cg2p_failure_memory(failure, SIZE_MAX);
   calls->of = cg2p_memory_grow(failure, calls->of, &calls->room, calls->n + 1,
                                sizeof *calls->of);
   calls->costs =
      cg2p_memory_grow(failure, calls->costs, &calls->costs_room,
                       (calls->n + 1) * width, sizeof *calls->costs);
   calls->of[calls->n] = *call;
   memcpy(calls->costs + calls->n * width, cost, width * sizeof *cost);
   calls->n++;
}

/*--- By function --------------------------------------------------------*/

static void
read_arcs(Calls* calls, Failure* failure, Arena* scratch, const Part* part)
{
   uint32_t* callers =
      cg2p_arena_add(scratch, failure, part->n_arcs * sizeof *callers);
   for (size_t i = 0; i < part->n_arcs; i++)
      callers[i] = part->arcs[i].caller;
   Groups by_caller = cg2p_components_group(scratch, failure, callers,
                                            part->n_arcs, part->n_functions);
   for (uint32_t function = 0; function < part->n_functions; function++) {
      calls->first[function] = calls->n;
      for (uint32_t i = by_caller.first[function];
           i < by_caller.first[function + 1]; i++) {
         uint32_t arc = by_caller.items[i];
         Call call = {.caller = function, .callee = part->arcs[arc].callee};
         if (call.callee != function)
            add_call(calls, failure, &call, cg2p_part_inclusive(part, arc));
      }
   }
}

/*--- By source line -----------------------------------------------------*/

/* Adds the line, a call, to those before of the same function at the same
 * source line. All calls of an arc together fit into 64 bits. */
static void
add_line(Calls* calls, Failure* failure, uint32_t caller, const Line* line)
{
   uint64_t key[] = {(uint64_t)caller << 32 | line->function, line->file,
                     line->at.line};
   size_t number = cg2p_keys_intern(&calls->known, failure, key);
   if (number == calls->n) {
      Call call = {caller, line->function, line->file, line->at.line};
      add_call(calls, failure, &call, line->cost);
      return;
   }
   uint64_t* sum = calls->costs + number * calls->n_events;
   for (uint32_t i = 0; i < calls->n_events; i++)
      sum[i] += line->cost[i];
}

static void read_lines(Calls* calls, Failure* failure, const Part* part)
{
   Line line = {.cost = calls->cost};
   for (uint32_t function = 0; function < part->n_functions; function++) {
      LineCursor cursor = cg2p_part_lines(part, function);
      calls->first[function] = calls->n;
      while (cg2p_lines_next(&cursor, &line))
         if (line.kind == CG2P_CALL && line.function != function)
            add_line(calls, failure, function, &line);
   }
}

/*--- A part -------------------------------------------------------------*/

static void read_by_line(Calls* calls, Failure* failure, const Part* part)
{
   calls->known.width = 3;
   calls->cost =
      cg2p_memory_allocate(failure, part->n_events * sizeof *calls->cost);
   read_lines(calls, failure, part);
   cg2p_keys_free(&calls->known);
}

void cg2p_calls_read(Calls* calls,
                     Failure* failure,
                     Arena* scratch,
                     const Part* part,
                     bool by_line)
{
   size_t n = part->n_functions;
   calls->n_events = part->n_events;
   calls->first = cg2p_memory_allocate(failure, (n + 1) * sizeof *calls->first);
   if (by_line)
      read_by_line(calls, failure, part);
   else
      read_arcs(calls, failure, scratch, part);
   calls->first[n] = calls->n;
}

void cg2p_calls_free(Calls* calls)
{
   free(calls->of);
   free(calls->costs);
   free(calls->first);
   free(calls->cost);
   cg2p_keys_free(&calls->known);
}
