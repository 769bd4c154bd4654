#include "profile/callgrind/scribe.h"

/* A position is written as a difference when that is less than this. Source:
 * Callgrind's files. */
enum { NEAR = 100 };

NameIds cg2_nameids_new(UInt n)
{
   return (NameIds){.of = VG_(calloc)("cg2.ids", n + 1, sizeof(UInt))};
}

void cg2_nameids_free(NameIds* ids)
{
   VG_(free)(ids->of);
}

/*--- Text ---------------------------------------------------------------*/

void cg2_scribe_text(Scribe* s, const HChar* text)
{
   cg2_sink_text(s->sink, text);
}

void cg2_scribe_end_line(Scribe* s)
{
   cg2_sink_char(s->sink, '\n');
}

void cg2_scribe_escaped(Scribe* s, const HChar* text)
{
   for (; *text; text++)
      if (*text == '\n')
         cg2_scribe_text(s, "\\n");
      else
         cg2_sink_char(s->sink, *text);
}

void cg2_scribe_key(Scribe* s, const HChar* key, const HChar* value)
{
   cg2_scribe_text(s, key);
   cg2_scribe_text(s, value);
   cg2_scribe_end_line(s);
}

void cg2_scribe_key_number(Scribe* s, const HChar* key, ULong value)
{
   cg2_scribe_text(s, key);
   cg2_sink_decimal(s->sink, value);
   cg2_scribe_end_line(s);
}

Bool cg2_scribe_names(const Scribe* s, const NameIds* ids, UInt number)
{
   return !s->config->compress_strings || !ids->of[number];
}

void cg2_scribe_name(
   Scribe* s, const HChar* spec, const HChar* name, NameIds* ids, UInt number)
{
   cg2_scribe_text(s, spec);
   Bool is_named = cg2_scribe_names(s, ids, number);
   if (!ids->of[number]) ids->of[number] = ++ids->last;
   if (s->config->compress_strings) {
      cg2_sink_char(s->sink, '(');
      cg2_sink_decimal(s->sink, ids->of[number]);
      cg2_scribe_text(s, is_named ? ") " : ")");
   }
   if (is_named) cg2_scribe_escaped(s, name);
   cg2_scribe_end_line(s);
}

/*--- Numbers ------------------------------------------------------------*/

void cg2_scribe_cost(Scribe* s, const ULong* cost, UInt n)
{
   while (n > 1 && cost[n - 1] == 0)
      n--;
   for (UInt e = 0; e < n; e++) {
      cg2_sink_char(s->sink, ' ');
      cg2_sink_decimal(s->sink, cost[e]);
   }
}

/* Writes a subposition, relative to that of the last cost line if it is near.
 */
static void write_number(Scribe* s, ULong now, ULong last, Bool is_hex)
{
   if (s->config->compress_positions && s->has_last) {
      ULong distance = now < last ? last - now : now - last;
      if (distance == 0) {
         cg2_sink_char(s->sink, '*');
         return;
      }
      if (distance < NEAR) {
         cg2_sink_char(s->sink, now < last ? '-' : '+');
         cg2_sink_decimal(s->sink, distance);
         return;
      }
   }
   if (is_hex)
      cg2_sink_hex(s->sink, now);
   else
      cg2_sink_decimal(s->sink, now);
}

void cg2_scribe_sum(Scribe* s, const HChar* key, const ULong* cost, UInt n)
{
   cg2_scribe_text(s, key);
   cg2_scribe_cost(s, cost, n);
   cg2_scribe_end_line(s);
}

void cg2_scribe_position(Scribe* s, const Position* at)
{
   Bool is_first = True;
   for (UInt i = 0; i < N_SUBPOSITIONS; i++) {
      if (!s->config->positions.has[i]) continue;
      if (!is_first) cg2_sink_char(s->sink, ' ');
      is_first = False;
      write_number(s, at->of[i], s->last.of[i], cg2_position_columns[i].is_hex);
   }
}

/* The grammar wants a blank behind each number of the body. */
void cg2_scribe_end_numbers(Scribe* s)
{
   if (s->config->is_as_specified) cg2_sink_char(s->sink, ' ');
   cg2_scribe_end_line(s);
}

void cg2_scribe_cost_line(Scribe* s,
                          const Position* at,
                          const ULong* cost,
                          UInt n)
{
   cg2_scribe_position(s, at);
   cg2_scribe_cost(s, cost, n);
   cg2_scribe_end_numbers(s);
   s->last = *at;
   s->has_last = True;
}

void cg2_scribe_calls(Scribe* s, ULong count, const Position* target)
{
   cg2_scribe_text(s, "calls=");
   cg2_sink_decimal(s->sink, count);
   cg2_sink_char(s->sink, ' ');
   cg2_scribe_position(s, target);
   cg2_scribe_end_numbers(s);
}

void cg2_scribe_columns(Scribe* s)
{
   cg2_scribe_text(s, "positions:");
   for (UInt i = 0; i < N_SUBPOSITIONS; i++) {
      if (!s->config->positions.has[i]) continue;
      cg2_sink_char(s->sink, ' ');
      cg2_scribe_text(s, cg2_position_columns[i].name);
   }
   cg2_scribe_end_line(s);
}
