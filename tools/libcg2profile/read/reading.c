#include "read/reading.h"

#include <stdio.h>
#include <string.h>

/*--- The end ------------------------------------------------------------*/

/* Whether the file was written by cg2 or Callgrind, which both end a part with
 * its totals. */
static bool is_of_callgrind(const Reader* r)
{
   static const char creator[] = "callgrind-";
   return !strncmp(r->profile->creator, creator, sizeof creator - 1);
}

bool cg2p_reading_is_cut_off(const Reader* r)
{
   const Input* input = &r->input;
   const Part* part = r->part;
   bool is_known = is_of_callgrind(r);
   if (!input->may_be_cut && !is_known) return false;
   if (input->lacks_end || input->has_rest) return true;
   bool needs_totals = is_known || !part->n_functions;
   bool lacks_totals = needs_totals && !part->sums[CG2P_TOTALS];
   return r->text.is_at_end && (r->next.spec || lacks_totals);
}

const char* cg2p_reading_where_cut_off(Reader* r)
{
   char place[80];
   const Input* input = &r->input;
   bool leaves_rest = input->has_rest && input->may_be_cut;
   size_t n =
      snprintf(place, sizeof place, "%s line %llu, at byte %llu",
               input->has_rest ? "in" : "behind",
               (unsigned long long)(r->text.next_line - 1 + leaves_rest),
               (unsigned long long)input->done);
   return cg2p_arena_text(&r->profile->texts, &r->failure, place, n);
}

_Noreturn void cg2p_reading_refuse(Reader* r, const char* format, ...)
{
   char message[1024];
   va_list arguments;
   cg2p_input_check_unchanged(&r->input);
   va_start(arguments, format);
   vsnprintf(message, sizeof message, format, arguments);
   if (!r->input.may_be_cut && cg2p_reading_is_cut_off(r))
      cg2p_failure_cut_off(&r->failure, r->text.line,
                           "%s; the file is cut off %s", message,
                           cg2p_reading_where_cut_off(r));
   cg2p_failure_at(&r->failure, r->text.line, "%s", message);
}

const char* cg2p_reading_show(Reader* reader, Text text)
{
   return cg2p_failure_shown(reader->shown, text.start, cg2p_text_length(text));
}

void cg2p_reading_check_text(Reader* reader, Text text)
{
   if (memchr(text.start, 0, cg2p_text_length(text)))
      cg2p_reading_refuse(reader,
                          "binary data; expected a profile, which is text");
}

/*--- Costs --------------------------------------------------------------*/

void cg2p_reading_reserve_cost(Reader* r)
{
   r->cost = cg2p_memory_grow(&r->failure, r->cost, &r->cost_room,
                              r->part->n_events, sizeof *r->cost);
}

void cg2p_reading_state_costs(Reader* r)
{
   Part* part = r->part;
   size_t bytes = part->n_events * sizeof *r->cost;
   uint64_t* total = cg2p_arena_add(&r->profile->texts, &r->failure, bytes);
   memset(total, 0, bytes);
   for (size_t i = 0; i < part->n_functions; i++) {
      memcpy(r->cost, cg2p_part_self(part, i), bytes);
      cg2p_reading_add_cost(r, total);
   }
   for (int sum = 0; sum < SUMS; sum++) {
      part->sums[sum] = total;
      part->sum_lines[sum] = 0; /* none states it */
   }
}
