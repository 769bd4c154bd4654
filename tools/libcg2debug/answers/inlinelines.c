#include "answers/inlinelines.h"

#include "dwarf/rows.h"

#include <stdlib.h>
#include <string.h>

static int compare_places(const void* a, const void* b)
{
   const StartPlace *x = a, *y = b;
   if (x->line != y->line) return x->line < y->line ? -1 : 1;
   return x->function < y->function ? -1 : x->function > y->function;
}

/* Notes where the functions of instances begin, each once. */
static void note_places(OriginSearch* search, size_t first)
{
   const Found* found = search->found;
   size_t n = found->inlines.n_instances - first;
   search->places.all =
      cg2p_memory_grow(search->failure, search->places.all,
                       &search->places.room, n, sizeof *search->places.all);
   for (size_t i = 0; i < n; i++)
      search->places.all[i] =
         search->starts.all[found->instances[first + i].function];
   qsort(search->places.all, n, sizeof *search->places.all, compare_places);
   search->places.n = 0;
   for (size_t i = 0; i < n; i++)
      if (!search->places.n ||
          compare_places(&search->places.all[search->places.n - 1],
                         &search->places.all[i]))
         search->places.all[search->places.n++] = search->places.all[i];
}

static size_t first_place(const OriginSearch* search, uint32_t line)
{
   return cg2p_search_first(i, 0, search->places.n,
                            search->places.all[i].line < line);
}

static bool is_same_file(const char* a, const char* b)
{
   return a == b || !strcmp(a, b);
}

/* A row of the line table. */
typedef struct LineTableRow {
   Dwarf_Addr address;
   const char* file;
   int line, column;
   bool is_statement, is_end;
} LineTableRow;

static bool
read_row(OriginSearch* search, Dwarf_Lines* lines, size_t i, LineTableRow* row)
{
   Dwarf_Line* line = dwarf_onesrcline(lines, i);
   if (!line || dwarf_lineaddr(line, &row->address) ||
       dwarf_lineno(line, &row->line) || dwarf_linecol(line, &row->column) ||
       dwarf_linebeginstatement(line, &row->is_statement) ||
       dwarf_lineendsequence(line, &row->is_end))
      return false;
   row->address += search->object->bias;
   row->file = dwarf_linesrc(line, NULL, NULL);
   if (!row->file) row->file = "";
   return true;
}

/*--- Marks ---------------------------------------------------------------*/

static bool begins_at(const StartPlace* place, const LineTableRow* row)
{
   return place->column == (uint32_t)row->column &&
          is_same_file(place->file, row->file);
}

/* Whether an instance of a function is entered at an address. */
static bool
is_entered(const OriginSearch* search, uint64_t address, uint32_t function)
{
   for (size_t i =
           cg2p_search_first(k, 0, search->shared.n_entered,
                             search->shared.entered[k].address < address);
        i < search->shared.n_entered &&
        search->shared.entered[i].address == address;
        i++)
      if (search->shared.entered[i].function == function) return true;
   return false;
}

/* Whether the instruction at an address is in an instance of a function. */
static bool
is_inside(const OriginSearch* search, uint64_t address, uint32_t function)
{
   const Found* found = search->found;
   size_t at = cg2d_inlinesearch_first_at(search, address);
   for (uint32_t i = found->instructions[at].instance; i != CG2P_NONE;
        i = found->instances[i].outer)
      if (found->instances[i].function == function) return true;
   return false;
}

typedef bool (*PlaceTest)(const OriginSearch*, uint64_t, uint32_t);

/* The one function that begins where a row is, and that passes the test; NULL:
 * none does, or several do. */
static const StartPlace* only_place(const OriginSearch* search,
                                    const LineTableRow* row,
                                    PlaceTest passes)
{
   const StartPlace* found = NULL;
   for (size_t i = first_place(search, row->line);
        i < search->places.n &&
        search->places.all[i].line == (uint32_t)row->line;
        i++) {
      const StartPlace* place = &search->places.all[i];
      if (!begins_at(place, row) ||
          (passes && !passes(search, row->address, place->function)))
         continue;
      if (found) return NULL;
      found = place;
   }
   return found;
}

/* Notes that nobody knows which of the functions that begin where a row is the
 * row marks. */
static void note_unsure(OriginSearch* search, const LineTableRow* row)
{
   search->shared.is_unsure = cg2p_memory_grow_cleared(
      search->failure, search->shared.is_unsure, &search->shared.is_unsure_room,
      search->found->inlines.n_functions, sizeof *search->shared.is_unsure);
   for (size_t i = first_place(search, row->line);
        i < search->places.n &&
        search->places.all[i].line == (uint32_t)row->line;
        i++)
      if (begins_at(&search->places.all[i], row))
         search->shared.is_unsure[search->places.all[i].function] = 1;
}

/* Adds the mark that a row may be. Several functions begin at one place if a
 * template is made for several types: then the instances say whose it is. */
static void note_mark(OriginSearch* search, const LineTableRow* row)
{
   Found* found = search->found;
   size_t first = first_place(search, row->line);
   if (first == search->places.n ||
       search->places.all[first].line != (uint32_t)row->line)
      return;
   size_t at = cg2d_inlinesearch_first_at(search, row->address);
   if (at == search->n || search->addresses[at] != row->address) return;
   const StartPlace* place = only_place(search, row, NULL);
   if (!place) place = only_place(search, row, is_entered);
   if (!place) place = only_place(search, row, is_inside);
   if (!place) {
      note_unsure(search, row);
      return;
   }
   found->marks =
      cg2p_memory_grow(search->failure, found->marks, &found->marks_room,
                       found->inlines.n_marks + 1, sizeof *found->marks);
   found->marks[found->inlines.n_marks++] =
      (cg2p_mark){row->address, place->function, CG2P_NONE};
}

static int compare_entered(const void* a, const void* b)
{
   const EnteredPlace *x = a, *y = b;
   return x->address < y->address ? -1 : x->address > y->address;
}

/* Takes the marks from number `first` on from functions of which nobody knows
 * which are theirs; lines say then where these begin. */
static void
forget_unsure(OriginSearch* search, size_t first_mark, size_t first_instance)
{
   Found* found = search->found;
   for (size_t i = first_mark; i < found->inlines.n_marks; i++) {
      uint32_t* function = &found->marks[i].function;
      if (*function < search->shared.is_unsure_room &&
          search->shared.is_unsure[*function])
         *function = CG2P_NONE;
   }
   for (size_t i = first_instance; i < found->inlines.n_instances; i++) {
      uint32_t function = found->instances[i].function;
      if (function < search->shared.is_unsure_room &&
          search->shared.is_unsure[function])
         found->instances[i].has_marks = 0;
   }
}

/*--- Lines ---------------------------------------------------------------*/

/* Lets a function whose entry states no file, as Go's do, be of the file of its
 * code. */
static void note_file(OriginSearch* search,
                      Dwarf_Die* unit,
                      uint32_t number,
                      const char* file)
{
   cg2p_inlined* function = &search->found->functions[number];
   if (!function->file[0])
      function->file =
         cg2d_entries_whole_path(search->object, search->failure, unit, file);
}

/* Gives the instructions of a row, up to the address of the next one, its
 * line. */
static void note_lines(OriginSearch* search,
                       Dwarf_Die* unit,
                       const LineTableRow* row,
                       uint64_t end)
{
   Found* found = search->found;
   for (size_t i = cg2d_inlinesearch_first_at(search, row->address);
        i < search->n && search->addresses[i] < end; i++) {
      cg2p_instruction* instruction = &found->instructions[i];
      instruction->line = row->line;
      instruction->column = row->column;
      if (instruction->instance == CG2P_NONE) continue;
      uint32_t function = found->instances[instruction->instance].function;
      const char* file = search->starts.all[function].file;
      instruction->is_foreign = file[0] && !is_same_file(file, row->file);
      note_file(search, unit, function, row->file);
   }
}

void cg2d_inlinelines_read(OriginSearch* search, Dwarf_Die* unit, size_t first)
{
   Dwarf_Lines* lines;
   size_t n;
   LineTableRow row, next;
   if (dwarf_getsrclines(unit, &lines, &n) != 0 || !n) return;
   size_t first_mark = search->found->inlines.n_marks;
   if (search->has_marks) note_places(search, first);
   if (search->shared.n_entered)
      qsort(search->shared.entered, search->shared.n_entered,
            sizeof *search->shared.entered, compare_entered);
   bool has_row = read_row(search, lines, 0, &row);
   for (size_t i = 1; has_row && i <= n; i++) {
      bool has_next = i < n && read_row(search, lines, i, &next);
      if (search->has_marks && row.is_statement && !row.is_end)
         note_mark(search, &row);
      Dwarf_Addr start, end;
      if (has_next && cg2d_rows_range(unit, lines, n, i - 1, &start, &end))
         note_lines(search, unit, &row, next.address);
      row = next;
      has_row = has_next;
   }
   forget_unsure(search, first_mark, first);
}
