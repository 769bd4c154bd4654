#include "write/writing.h"

enum { FAR_AWAY = 100 }; /* from here on absolute numbers are as short */

/*--- Names --------------------------------------------------------------*/

void cg2p_writing_text_of(Writer* w, uint32_t name)
{
   const StoredName* found = &w->profile->names.of[name];
   cg2p_output_text(&w->output, found->text, found->length);
}

void cg2p_writing_id(Writer* w, uint32_t id)
{
   cg2p_output_letter(&w->output, '(');
   cg2p_output_decimal(&w->output, id);
   cg2p_output_letter(&w->output, ')');
}

static bool looks_like_id(const StoredName* name)
{
   return name->text[0] == '(' && name->text[1] >= '0' && name->text[1] <= '9';
}

void cg2p_writing_name(
   Writer* w, const char* spec, uint32_t* id, uint32_t* n, uint32_t name)
{
   bool is_new = *id == 0;
   cg2p_writing_put(w, spec);
   if (is_new && (!(w->form & CG2P_FULL_NAMES) ||
                  looks_like_id(&w->profile->names.of[name])))
      *id = ++*n;
   if (*id) cg2p_writing_id(w, *id);
   if (*id && is_new) cg2p_output_letter(&w->output, ' ');
   if (is_new) cg2p_writing_text_of(w, name);
   cg2p_writing_end_line(w);
}

void cg2p_writing_spec(Writer* w,
                       const char* spec,
                       NameKind kind,
                       uint32_t name)
{
   cg2p_writing_name(w, spec, &w->ids[kind][name], &w->n_ids[kind], name);
}

/*--- Numbers ------------------------------------------------------------*/

void cg2p_writing_costs(Writer* w, const uint64_t* cost, uint32_t least)
{
   uint32_t n = w->part->n_events;
   while (n > least && !cost[n - 1])
      n--;
   for (uint32_t i = 0; i < n; i++) {
      cg2p_output_letter(&w->output, ' ');
      cg2p_output_decimal(&w->output, cost[i]);
   }
}

/* Writes a number relative to the last one if that is near. */
static void
put_subposition(Writer* w, Column column, uint64_t number, uint64_t last)
{
   bool is_behind = number >= last;
   uint64_t distance = is_behind ? number - last : last - number;
   bool is_near =
      w->has_last && distance < FAR_AWAY && !(w->form & CG2P_FULL_POSITIONS);
   if (is_near && !distance)
      cg2p_output_letter(&w->output, '*');
   else if (is_near) {
      cg2p_output_letter(&w->output, is_behind ? '+' : '-');
      cg2p_output_decimal(&w->output, distance);
   } else if (cg2p_columns[column].is_hexadecimal)
      cg2p_output_hexadecimal(&w->output, number);
   else
      cg2p_output_decimal(&w->output, number);
}

void cg2p_writing_place(Writer* w, const Place* place)
{
   const Part* part = w->part;
   for (uint32_t i = 0; i < part->n_columns; i++) {
      Column column = part->columns[i];
      if (i) cg2p_output_letter(&w->output, ' ');
      put_subposition(w, column, cg2p_column_of(place, column),
                      cg2p_column_of(&w->last, column));
   }
}
