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

static _Noreturn void
refuse_many_costs(Reader* r, const char* p, const char* end)
{
   char events[512];
   const Part* part = r->part;
   uint64_t n = 0, number;
   for (p = cg2p_text_behind_blanks(p, end); p < end; n++) {
      Text word = cg2p_text_word_at(p, end);
      if (!cg2p_number_read(word, &number))
         cg2p_reading_refuse(r, "cost '%s'; expected a number",
                             cg2p_reading_show(r, word));
      p = cg2p_text_behind_blanks(word.end, end);
   }
   cg2p_reading_refuse(
      r, "%llu costs; expected at most %u (%s)", (unsigned long long)n,
      part->n_events,
      cg2p_failure_listed(events, sizeof events, part->events, part->n_events));
}

void cg2p_reading_costs(Reader* r, const char* p, const char* end)
{
   uint32_t n = r->part->n_events, i = 0;
   const char* start = p;
   for (;;) {
      while (p < end && cg2p_text_is_blank(*p))
         p++;
      if (p == end) break;
      if (i == n) refuse_many_costs(r, start, end);
      const char* behind = cg2p_number_read_usual(p, &r->cost[i]);
      if (!behind || !cg2p_text_is_blank(*behind)) {
         Text word = cg2p_text_word_at(p, end);
         if (!cg2p_number_read(word, &r->cost[i]))
            cg2p_reading_refuse(r, "cost '%s'; expected a number",
                                cg2p_reading_show(r, word));
         behind = word.end;
      }
      p = behind;
      i++;
   }
   while (i < n)
      r->cost[i++] = 0;
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
