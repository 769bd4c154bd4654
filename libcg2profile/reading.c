#include "reading.h"

#include <string.h>

_Noreturn void cg2p_refuse(Reader* reader, const char* format, ...)
{
   va_list arguments;
   cg2p_input_check_unchanged(&reader->input);
   va_start(arguments, format);
   cg2p_fail_at_list(&reader->failure, reader->line, format, arguments);
}

const char* cg2p_show(Reader* reader, Text text)
{
   return cg2p_shown(reader->shown, text.start, cg2p_text_length(text));
}

void cg2p_check_text(Reader* reader, Text text)
{
   if (memchr(text.start, 0, cg2p_text_length(text)))
      cg2p_refuse(reader, "binary data; expected a profile, which is text");
}

/*--- Costs --------------------------------------------------------------*/

void cg2p_reserve_cost(Reader* r)
{
   r->cost = cg2p_grow(&r->failure, r->cost, &r->cost_room, r->part->n_events,
                       sizeof *r->cost);
}

static _Noreturn void
refuse_many_costs(Reader* r, const char* p, const char* end)
{
   char events[512];
   const Part* part = r->part;
   uint64_t n = 0, number;
   for (p = cg2p_behind_blanks(p, end); p < end; n++) {
      Text word = cg2p_word_at(p, end);
      if (!cg2p_read_number(word, &number))
         cg2p_refuse(r, "cost '%s'; expected a number", cg2p_show(r, word));
      p = cg2p_behind_blanks(word.end, end);
   }
   cg2p_refuse(
      r, "%llu costs; expected at most %u (%s)", (unsigned long long)n,
      part->n_events,
      cg2p_listed(events, sizeof events, part->events, part->n_events));
}

void cg2p_read_costs(Reader* r, const char* p, const char* end)
{
   uint32_t n = r->part->n_events, i = 0;
   const char* start = p;
   for (;;) {
      while (p < end && cg2p_is_blank(*p))
         p++;
      if (p == end) break;
      if (i == n) refuse_many_costs(r, start, end);
      const char* behind = cg2p_read_usual(p, &r->cost[i]);
      if (!behind || !cg2p_is_blank(*behind)) {
         Text word = cg2p_word_at(p, end);
         if (!cg2p_read_number(word, &r->cost[i]))
            cg2p_refuse(r, "cost '%s'; expected a number", cg2p_show(r, word));
         behind = word.end;
      }
      p = behind;
      i++;
   }
   while (i < n)
      r->cost[i++] = 0;
}
