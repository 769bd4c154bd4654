/* Which line each address is of, and which functions there are, whether they
 * ran or not. */
#include "base/search.h"
#include "dwarf/functionnames.h"
#include "dwarf/rows.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* The walk through an object's units. */
typedef struct SourceWalk {
   cg2d_object* object;
   Failure* failure;
   FunctionNames names;
   cg2p_row* rows;
   cg2p_routine* routines;
   const char** files;
   size_t rows_room, routines_room, files_room;
   cg2p_sources found;
   NumberMap file_of; /* by the key of its path: number + 1 */
   const char* last_file;
   uint32_t last_number;
} SourceWalk;

static uint32_t file_number(SourceWalk* walk, const char* path)
{
   if (path == walk->last_file) return walk->last_number;
   uint64_t key = cg2p_numbermap_key(path);
   uint64_t number = cg2p_numbermap_find(&walk->file_of, key);
   if (!number) {
      walk->files =
         cg2p_memory_grow(walk->failure, walk->files, &walk->files_room,
                          walk->found.n_files + 1, sizeof *walk->files);
      walk->files[walk->found.n_files++] = path;
      number = walk->found.n_files;
      cg2p_numbermap_set(&walk->file_of, walk->failure, key, number);
   }
   walk->last_file = path;
   walk->last_number = number - 1;
   return number - 1;
}

static void add_row(SourceWalk* walk,
                    Dwarf_Die* unit,
                    Dwarf_Line* line,
                    Dwarf_Addr start,
                    Dwarf_Addr end)
{
   int number;
   const char* file = dwarf_linesrc(line, NULL, NULL);
   if (!file || dwarf_lineno(line, &number) || number <= 0) return;
   const char* path =
      cg2d_entries_whole_path(walk->object, walk->failure, unit, file);
   Dwarf_Addr bias = walk->object->bias;
   walk->rows = cg2p_memory_grow(walk->failure, walk->rows, &walk->rows_room,
                                 walk->found.n_rows + 1, sizeof *walk->rows);
   walk->rows[walk->found.n_rows++] =
      (cg2p_row){start + bias, end + bias, file_number(walk, path), number};
}

static void add_rows(SourceWalk* walk, Dwarf_Die* unit)
{
   Dwarf_Lines* lines;
   size_t n;
   if (dwarf_getsrclines(unit, &lines, &n) != 0) return;
   for (size_t i = 0; i + 1 < n; i++) {
      Dwarf_Addr start, end;
      if (cg2d_rows_range(unit, lines, n, i, &start, &end))
         add_row(walk, unit, dwarf_onesrcline(lines, i), start, end);
   }
}

static void add_routine(SourceWalk* walk, Dwarf_Die* entry)
{
   uint64_t start;
   const char* file =
      cg2d_entries_declaring_file(walk->object, walk->failure, entry);
   if (!cg2d_entries_address(entry, &start) || !file[0]) return;
   walk->routines =
      cg2p_memory_grow(walk->failure, walk->routines, &walk->routines_room,
                       walk->found.n_routines + 1, sizeof *walk->routines);
   walk->routines[walk->found.n_routines++] =
      (cg2p_routine){.name = cg2d_functionnames_name(&walk->names, entry),
                     .address = start + walk->object->bias,
                     .file = file_number(walk, file),
                     .line = cg2d_entries_declaring_line(entry)};
}

static void add_routines(SourceWalk* walk, Dwarf_Die* parent, int depth)
{
   Dwarf_Die entry;
   if (depth == DEPTH_MAX || dwarf_child(parent, &entry) != 0) return;
   do {
      int tag = dwarf_tag(&entry);
      if (tag == DW_TAG_subprogram) add_routine(walk, &entry);
      if (tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
          tag == DW_TAG_structure_type || tag == DW_TAG_module)
         add_routines(walk, &entry, depth + 1);
   } while (dwarf_siblingof(&entry, &entry) == 0);
}

static void visit(void* data, Dwarf_Die* unit)
{
   SourceWalk* walk = data;
   add_rows(walk, unit);
   add_routines(walk, unit, 0);
}

static int compare_rows(const void* a, const void* b)
{
   const cg2p_row *x = a, *y = b;
   return (x->address > y->address) - (x->address < y->address);
}

/* Puts the rows in the order of their addresses, in which they mostly are. */
static void sort_rows(SourceWalk* walk)
{
   bool is_sorted = true;
   for (size_t i = 1; i < walk->found.n_rows; i++)
      is_sorted &= walk->rows[i - 1].address <= walk->rows[i].address;
   if (!is_sorted)
      qsort(walk->rows, walk->found.n_rows, sizeof *walk->rows, compare_rows);
}

/* Lets the code with which a function begins be of the line that declares it,
 * not of the brace below. */
static void name_beginnings(SourceWalk* walk)
{
   for (size_t i = 0; i < walk->found.n_routines; i++) {
      const cg2p_routine* routine = &walk->routines[i];
      size_t at = cg2p_search_first(r, 0, walk->found.n_rows,
                                    walk->rows[r].address < routine->address);
      if (at == walk->found.n_rows || !routine->line ||
          walk->rows[at].address != routine->address)
         continue;
      walk->rows[at].file = routine->file;
      walk->rows[at].line = routine->line;
   }
}

/* Copies an array to where it stays as long as the object. */
static void* kept(SourceWalk* walk, const void* array, size_t n, size_t size)
{
   void* copy =
      cg2p_arena_add(&walk->object->arena, walk->failure, (n + 1) * size);
   if (n) memcpy(copy, array, n * size);
   return copy;
}

static bool find(SourceWalk* walk, cg2p_sources* sources)
{
   if (setjmp(walk->failure->caught)) return false;
   cg2d_object_each_unit(walk->object, visit, walk);
   *sources = walk->found;
   sort_rows(walk);
   name_beginnings(walk);
   sources->rows = kept(walk, walk->rows, sources->n_rows, sizeof *walk->rows);
   sources->routines =
      kept(walk, walk->routines, sources->n_routines, sizeof *walk->routines);
   sources->files =
      kept(walk, walk->files, sources->n_files, sizeof *walk->files);
   return true;
}

int cg2d_object_sources(cg2d_object* object,
                        cg2p_sources* sources,
                        cg2p_error* error)
{
   Failure failure = {.path = object->path, .error = error};
   SourceWalk walk = {.object = object,
                      .failure = &failure,
                      .names = {object, &failure, false, {0}}};
   bool is_done = find(&walk, sources);
   free(walk.rows);
   free(walk.routines);
   free(walk.files);
   cg2p_numbermap_free(&walk.file_of);
   cg2p_numbermap_free(&walk.names.taken);
   return is_done ? 0 : -1;
}
