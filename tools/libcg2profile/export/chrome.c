/* Stacks for Perfetto and Chrome: a trace in which each event is a thread, and
 * its cost takes the time, a microsecond for one. A function's own cost is
 * behind its callees'. */
#include "export/chrome.h"

#include <string.h>

static void put_head(StackWriter* w, const char* kind, uint32_t thread)
{
   cg2p_stackwriter_put(w, "{\"ph\": \"M\", \"pid\": 1, \"tid\": ");
   cg2p_stackwriter_put_number(w, thread);
   cg2p_stackwriter_put(w, ", \"name\": \"");
   cg2p_stackwriter_put(w, kind);
   cg2p_stackwriter_put(w, "\", \"args\": {\"name\": ");
}

/* Writes what happens in a thread from `start` on. */
static void
put_duration(StackWriter* w, uint32_t stack, uint32_t event, uint64_t start)
{
   uint32_t number = w->stacks->of[stack].function;
   cg2p_function function = cg2p_stacks_function(w->stacks, number);
   cg2p_stackwriter_put(w, ",\n{\"ph\": \"X\", \"pid\": 1, \"tid\": ");
   cg2p_stackwriter_put_number(w, event + 1);
   cg2p_stackwriter_put(w, ", \"ts\": ");
   cg2p_stackwriter_put_number(w, start);
   cg2p_stackwriter_put(w, ", \"dur\": ");
   cg2p_stackwriter_put_number(
      w, cg2p_stackwriter_inclusive(w->stacks, stack, event));
   cg2p_stackwriter_put(w, ", \"name\": ");
   cg2p_stackwriter_put_json_function(w, number);
   cg2p_stackwriter_put(w, ", \"args\": {\"file\": ");
   cg2p_stackwriter_put_json_name(w, cg2p_stackwriter_name(w, function.file));
   cg2p_stackwriter_put(w, ", \"object\": ");
   cg2p_stackwriter_put_json_name(w, cg2p_stackwriter_name(w, function.object));
   cg2p_stackwriter_put(w, "}}");
}

/* Writes the stacks that cost any of an event, one behind the other within
 * their caller's time. free[i] is where the next callee of a stack begins. */
static void put_durations(StackWriter* w, uint64_t* free, uint32_t event)
{
   const cg2p_stacks* stacks = w->stacks;
   uint64_t root = 0;
   for (uint32_t i = 0; i < stacks->n; i++) {
      uint32_t caller = stacks->of[i].caller;
      uint64_t* start = caller == CG2P_NONE ? &root : &free[caller];
      uint64_t cost = cg2p_stackwriter_inclusive(stacks, i, event);
      if (!cost) continue;
      free[i] = *start;
      put_duration(w, i, event, *start);
      *start += cost;
   }
}

void cg2p_chrome_put(StackWriter* w)
{
   const cg2p_stacks* stacks = w->stacks;
   w->numbers = cg2p_memory_grow(&w->failure, w->numbers, &w->numbers_room,
                                 stacks->n, sizeof *w->numbers);
   cg2p_stackwriter_put(w, "{\"traceEvents\": [\n");
   put_head(w, "process_name", 0);
   cg2p_stackwriter_put_program(w);
   cg2p_stackwriter_put(w, "}}");
   for (uint32_t i = 0; i < w->how->n_events; i++) {
      uint32_t event = w->how->events[i];
      const char* name = stacks->part->events[event];
      cg2p_stackwriter_put(w, ",\n");
      put_head(w, "thread_name", event + 1);
      cg2p_stackwriter_put_json(w, name, strlen(name));
      cg2p_stackwriter_put(w, "}}");
      put_durations(w, w->numbers, event);
   }
   cg2p_stackwriter_put(w, "\n], \"displayTimeUnit\": \"ms\", \"otherData\": "
                           "{\"exporter\": ");
   cg2p_stackwriter_put_json(w, w->how->exporter, strlen(w->how->exporter));
   cg2p_stackwriter_put(w, "}}\n");
}
