#include "profile/callgrind/rounds.h"

#include "code/code.h"

/*--- Counting -----------------------------------------------------------*/

/* How often the last instruction of a block was executed; `counts` are those of
 * its segments. */
static ULong executions_of_last(const Block* block, const ULong* counts)
{
   UInt last = block->n_segments - 1;
   while (last && !cg2_block_segments(block)[last])
      last--;
   return counts[last];
}

static void
add_block(Rounds* rounds, const Context* context, const Block* b, ULong n)
{
   if (!n) return;
   if (rounds->n == rounds->room) {
      rounds->room = rounds->room ? 2 * rounds->room : 64;
      rounds->items = VG_(realloc)("cg2.rounds", rounds->items,
                                   rounds->room * sizeof *rounds->items);
   }
   rounds->items[rounds->n++] =
      (RoundsItem){context, b->lines[b->n_instrs - 1], n};
}

static void add_context(Rounds* rounds, const Context* context)
{
   for (const Cells* cells = &context->own; cells; cells = cells->next)
      for (const Block* b = cells->home->blocks; b; b = b->next_of_home)
         if (b->repeats)
            add_block(rounds, context, b,
                      executions_of_last(b, &cells->counts[b->slot]));
}

Rounds cg2_rounds_count(const Context* const* contexts, UInt n, ULong instrs)
{
   Rounds rounds = {.instrs = instrs};
   for (UInt i = 0; i < n; i++)
      add_context(&rounds, contexts[i]);
   return rounds;
}

void cg2_rounds_free(Rounds* rounds)
{
   if (rounds->items) VG_(free)(rounds->items);
}

/*--- Writing ------------------------------------------------------------*/

/* A list of places in a description. */
typedef struct PlaceList {
   const HChar* kind;
   Int (*compare)(const void* a, const void* b); /* 0: the same place */
   Bool (*is_told)(const RoundsItem* item); /* whether a word can name it */
   void (*write)(Scribe* s, const RoundsItem* item);
} PlaceList;

static Bool has_tab(const HChar* text)
{
   return VG_(strrchr)(text, '\t') != NULL;
}

static Int compare_functions(const void* va, const void* vb)
{
   const Context *a = ((const RoundsItem*)va)->context,
                 *b = ((const RoundsItem*)vb)->context;
   Int order = VG_(strcmp)(a->function->object->name->text,
                           b->function->object->name->text);
   if (!order)
      order = VG_(strcmp)(a->function->file->text, b->function->file->text);
   return order ? order : VG_(strcmp)(a->name->text, b->name->text);
}

static Bool is_function_told(const RoundsItem* item)
{
   return !has_tab(item->context->function->object->name->text) &&
          !has_tab(item->context->function->file->text);
}

static void write_function(Scribe* s, const RoundsItem* item)
{
   cg2_scribe_escaped(s, item->context->function->file->text);
   cg2_scribe_text(s, ":");
   cg2_scribe_escaped(s, item->context->name->text);
   cg2_scribe_text(s, " ");
   cg2_scribe_escaped(s, item->context->function->object->name->text);
}

static const HChar* file_of(const SourceLine* line)
{
   return cg2_code.file_names.by_number[line->file]->text;
}

static Int compare_lines(const void* va, const void* vb)
{
   const SourceLine *a = &((const RoundsItem*)va)->line,
                    *b = &((const RoundsItem*)vb)->line;
   Int order = a->file == b->file ? 0 : VG_(strcmp)(file_of(a), file_of(b));
   return order ? order : a->line < b->line ? -1 : a->line > b->line;
}

static Bool is_line_told(const RoundsItem* item)
{
   return item->line.line && !has_tab(file_of(&item->line));
}

static void write_line(Scribe* s, const RoundsItem* item)
{
   cg2_sink_decimal(s->sink, item->line.line);
   cg2_scribe_text(s, " ");
   cg2_scribe_escaped(s, file_of(&item->line));
}

/* Makes items that are of one place to one item each, in order of places.
 * Returns how many there are. */
static UInt add_up(RoundsItem* items, UInt n, const PlaceList* list)
{
   UInt n_places = 0;
   if (n) VG_(ssort)(items, n, sizeof *items, list->compare);
   for (UInt i = 0; i < n; i++)
      if (n_places && list->compare(&items[n_places - 1], &items[i]) == 0)
         items[n_places - 1].n += items[i].n;
      else
         items[n_places++] = items[i];
   return n_places;
}

/* Writes the places of a list that have executed at least so many. */
static void write_list(Scribe* s,
                       const PlaceList* list,
                       const RoundsItem* places,
                       UInt n,
                       ULong least)
{
   Bool has_any = False;
   for (UInt i = 0; i < n; i++) {
      if (places[i].n < least || !list->is_told(&places[i])) continue;
      cg2_scribe_text(s, has_any ? "\t" : list->kind);
      cg2_sink_decimal(s->sink, places[i].n);
      cg2_scribe_text(s, " ");
      list->write(s, &places[i]);
      has_any = True;
   }
   if (has_any) cg2_scribe_end_line(s);
}

void cg2_rounds_write(Scribe* s, const Rounds* rounds)
{
   static const PlaceList lists[] = {
      {"desc: Rounds of functions: ", compare_functions, is_function_told,
       write_function},
      {"desc: Rounds of lines: ", compare_lines, is_line_told, write_line}};
   enum { PART = 1000 };
   SizeT size = rounds->n * sizeof *rounds->items;
   RoundsItem* places = size ? VG_(malloc)("cg2.rounds", size) : NULL;
   for (UInt i = 0; i < sizeof lists / sizeof *lists && places; i++) {
      VG_(memcpy)(places, rounds->items, size);
      UInt n = add_up(places, rounds->n, &lists[i]);
      write_list(s, &lists[i], places, n, rounds->instrs / PART + 1);
   }
   if (places) VG_(free)(places);
}
