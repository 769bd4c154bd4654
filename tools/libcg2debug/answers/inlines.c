/* Whose the instructions of an object are: instances of inlined functions, the
 * lines of their statements, and marks where functions begin. */
#include "answers/inlinelines.h"
#include "machine/image.h"
#include "machine/packed.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*--- Functions ----------------------------------------------------------*/

/* What a copy that is called and its inlined ones are instances of. */
static Dwarf_Die origin_of(Dwarf_Die* entry)
{
   Dwarf_Die at = *entry;
   for (int depth = 0; depth < DEPTH_MAX; depth++) {
      Dwarf_Attribute found;
      Dwarf_Die next;
      if (!dwarf_attr(&at, DW_AT_abstract_origin, &found) ||
          !dwarf_formref_die(&found, &next))
         break;
      at = next;
   }
   return at;
}

/* What is known of an origin, which is added if it is new. */
static InlineOrigin* origin_at(OriginSearch* search, const void* place)
{
   uint32_t hash = cg2p_hash_number((uintptr_t)place);
   uint32_t found = cg2p_hash_find(&search->origin_table, hash, i,
                                   search->origins[i].place == place);
   if (found != CG2P_NONE) return &search->origins[found];
   search->origins =
      cg2p_memory_grow(search->failure, search->origins, &search->origins_room,
                       search->n_origins + 1, sizeof *search->origins);
   cg2p_hash_add(&search->origin_table, search->failure, hash,
                 search->n_origins);
   InlineOrigin* added = &search->origins[search->n_origins++];
   *added = (InlineOrigin){.place = place, .function = CG2P_NONE};
   return added;
}

/* Where its name stands on its line; 0: not said. */
static uint32_t column_of(Dwarf_Die* entry)
{
   uint64_t column = 0;
   return cg2d_entries_number(entry, DW_AT_decl_column, &column) ? column : 0;
}

/* A lambda of GCC says neither its name nor where it is: it is called by where
 * it is called first. */
static void
name_lambda(OriginSearch* search, Dwarf_Die* instance, cg2p_inlined* function)
{
   static const char of_lambda[] =
      "operator()"; /* "<long>" behind it: generic */
   char text[1024];
   uint64_t line = 0;
   if (function->line || strncmp(function->name, of_lambda, strlen(of_lambda)))
      return;
   cg2d_entries_number(instance, DW_AT_call_line, &line);
   snprintf(text, sizeof text, "lambda:%u::%s", (unsigned)line, function->name);
   function->name = cg2p_arena_text(&search->object->arena, search->failure,
                                    text, strlen(text));
   function->file = cg2d_entries_file(search->object, search->failure, instance,
                                      DW_AT_call_file);
}

/* The number of the function that an instance is of. */
static uint32_t function_of(OriginSearch* search, Dwarf_Die* instance)
{
   Dwarf_Die entry = origin_of(instance);
   InlineOrigin* origin = origin_at(search, entry.addr);
   if (origin->function != CG2P_NONE) return origin->function;
   Found* found = search->found;
   found->functions = cg2p_memory_grow(
      search->failure, found->functions, &found->functions_room,
      found->inlines.n_functions + 1, sizeof *found->functions);
   search->starts.all = cg2p_memory_grow(
      search->failure, search->starts.all, &search->starts.room,
      found->inlines.n_functions + 1, sizeof *search->starts.all);
   origin->function = found->inlines.n_functions;
   search->starts.all[origin->function] = (StartPlace){
      cg2d_entries_stated_file(&entry, DW_AT_decl_file),
      cg2d_entries_declaring_line(&entry), column_of(&entry), origin->function};
   cg2p_inlined* function = &found->functions[found->inlines.n_functions++];
   *function = (cg2p_inlined){
      .name = cg2d_functionnames_name(&search->names, &entry),
      .file =
         cg2d_entries_declaring_file(search->object, search->failure, &entry),
      .line = cg2d_entries_declaring_line(&entry),
   };
   name_lambda(search, instance, function);
   return origin->function;
}

/*--- Ranges -------------------------------------------------------------*/

/* Calls `visit`, which may be NULL, with the instructions that ran in each of
 * the entry's ranges. False: none ran. */
static bool each_range(OriginSearch* search,
                       Dwarf_Die* entry,
                       void (*visit)(OriginSearch*, size_t first, size_t end),
                       bool* has_ranges)
{
   Dwarf_Addr base, start, end, bias = search->object->bias;
   ptrdiff_t offset = 0;
   bool ran = false;
   *has_ranges = false;
   while ((offset = dwarf_ranges(entry, offset, &base, &start, &end)) > 0) {
      *has_ranges = true;
      size_t from = cg2d_inlinesearch_first_at(search, start + bias),
             to = cg2d_inlinesearch_first_at(search, end + bias);
      if (from >= to) continue;
      ran = true;
      if (visit)
         visit(search, from, to);
      else
         return true;
   }
   return ran;
}

static bool ran(OriginSearch* search, Dwarf_Die* entry, bool* has_ranges)
{
   return each_range(search, entry, NULL, has_ranges);
}

/*--- Instances ----------------------------------------------------------*/

static void mark_instructions(OriginSearch* search, size_t first, size_t end)
{
   for (size_t i = first; i < end; i++)
      search->found->instructions[i].instance =
         search->found->inlines.n_instances - 1;
}

/* Where an instance is entered that has no instruction, if that ran. GCC says
 * so; the range is empty. */
static bool
find_bare_entry(OriginSearch* search, Dwarf_Die* entry, uint64_t* address)
{
   Dwarf_Addr low, high;
   Dwarf_Attribute found;
   if (!search->has_marks || !dwarf_attr(entry, DW_AT_entry_pc, &found) ||
       dwarf_formaddr(&found, address) ||
       dwarf_attr(entry, DW_AT_ranges, &found) ||
       (dwarf_lowpc(entry, &low) == 0 && dwarf_highpc(entry, &high) == 0 &&
        low < high))
      return false;
   *address += search->object->bias;
   size_t at = cg2d_inlinesearch_first_at(search, *address);
   return at < search->n && search->addresses[at] == *address;
}

static void note_bare(OriginSearch* search, const cg2p_mark* mark)
{
   search->bare.all =
      cg2p_memory_grow(search->failure, search->bare.all, &search->bare.room,
                       search->bare.n + 1, sizeof *search->bare.all);
   search->bare.all[search->bare.n++] = *mark;
}

/* Whether the instance is the rest of the function that it is in: GCC takes
 * functions apart, to have only their beginnings inlined, calls the rest from
 * where the function's name stands, and may have that inlined, too. */
static bool is_rest(OriginSearch* search, Dwarf_Die* entry, uint32_t outer)
{
   uint64_t line, column;
   if (!search->has_marks ||
       !cg2d_entries_number(entry, DW_AT_call_line, &line) ||
       !cg2d_entries_number(entry, DW_AT_call_column, &column))
      return false;
   uint32_t function = function_of(search, entry);
   bool is_inside = outer == CG2P_NONE
                       ? origin_of(entry).addr == search->around
                       : search->found->instances[outer].function == function;
   const StartPlace* start = &search->starts.all[function];
   return is_inside && start->line == line && start->column == column;
}

/* Has the mark at the entry of a rest taken away: no function begins there. */
static void note_rest(OriginSearch* search, Dwarf_Die* entry, uint32_t function)
{
   Dwarf_Addr address;
   if (dwarf_entrypc(entry, &address) == 0)
      note_bare(search, &(cg2p_mark){address + search->object->bias, function,
                                     CG2P_NONE});
}

/* Notes where an instance is entered. */
static void
note_entered(OriginSearch* search, Dwarf_Die* entry, uint32_t function)
{
   Dwarf_Addr address;
   if (!search->has_marks || dwarf_entrypc(entry, &address) != 0) return;
   search->shared.entered = cg2p_memory_grow(
      search->failure, search->shared.entered, &search->shared.entered_room,
      search->shared.n_entered + 1, sizeof *search->shared.entered);
   search->shared.entered[search->shared.n_entered++] =
      (EnteredPlace){address + search->object->bias, function};
}

/* Adds an instance, if some of it ran. Its number, or CG2P_NONE. */
static uint32_t
add_instance(OriginSearch* search, Dwarf_Die* entry, uint32_t outer)
{
   bool has_ranges, is_bare = false;
   uint64_t address;
   if (!ran(search, entry, &has_ranges)) {
      is_bare = find_bare_entry(search, entry, &address);
      if (!is_bare) return CG2P_NONE;
   }
   Found* found = search->found;
   uint64_t line = 0;
   cg2d_entries_number(entry, DW_AT_call_line, &line);
   found->instances = cg2p_memory_grow(
      search->failure, found->instances, &found->instances_room,
      found->inlines.n_instances + 1, sizeof *found->instances);
   uint32_t function = function_of(search, entry);
   cg2p_instance instance = {
      .outer = outer,
      .function = function,
      .call_file = cg2d_entries_file(search->object, search->failure, entry,
                                     DW_AT_call_file),
      .call_line = line,
      .has_marks = search->has_marks && search->starts.all[function].line,
      .is_rest = is_rest(search, entry, outer),
   };
   if (instance.is_rest)
      note_rest(search, entry, function);
   else
      note_entered(search, entry, function);
   found->instances[found->inlines.n_instances++] = instance;
   uint32_t added = found->inlines.n_instances - 1;
   if (is_bare && !instance.is_rest)
      note_bare(search, &(cg2p_mark){address, function, added});
   each_range(search, entry, mark_instructions, &has_ranges);
   return added;
}

/* Notes where a copy that is called begins. */
static void note_copy(OriginSearch* search, Dwarf_Die* entry)
{
   uint64_t address;
   Dwarf_Die origin = origin_of(entry);
   if (origin.addr == entry->addr || !cg2d_entries_address(entry, &address))
      return;
   origin_at(search, origin.addr)->address = address + search->object->bias;
}

static void
walk(OriginSearch* search, Dwarf_Die* parent, uint32_t outer, int depth);

static void
visit_entry(OriginSearch* search, Dwarf_Die* entry, uint32_t outer, int depth)
{
   bool has_ranges;
   uint32_t instance;
   const void* around = search->around;
   switch (dwarf_tag(entry)) {
   case DW_TAG_subprogram:
      /* A function without code may have methods of local classes in it. Most
       * are declared only, and then nothing else is to be asked. */
      if (dwarf_hasattr(entry, DW_AT_declaration)) {
         walk(search, entry, CG2P_NONE, depth);
         return;
      }
      if (!ran(search, entry, &has_ranges) && has_ranges) return;
      if (has_ranges) note_copy(search, entry);
      search->around = origin_of(entry).addr;
      walk(search, entry, CG2P_NONE, depth);
      search->around = around;
      return;
   case DW_TAG_inlined_subroutine:
      instance = add_instance(search, entry, outer);
      if (instance != CG2P_NONE) walk(search, entry, instance, depth);
      return;
   default:
      if (cg2d_entries_holds_code(entry)) walk(search, entry, outer, depth);
      return;
   }
}

/* Visits what is in an entry. */
static void
walk(OriginSearch* search, Dwarf_Die* parent, uint32_t outer, int depth)
{
   Dwarf_Die entry;
   if (depth >= INLINE_DEPTH_MAX ||
       !cg2d_entries_enter(&search->entries, parent, &entry))
      return;
   do
      visit_entry(search, &entry, outer, depth + 1);
   while (cg2d_entries_next(&search->entries, &entry));
}

/*--- Units --------------------------------------------------------------*/

static bool is_gnu(Dwarf_Die* unit)
{
   Dwarf_Attribute found;
   const char* producer =
      dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &found));
   return producer && !strncmp(producer, "GNU ", 4);
}

/* Reads the lines of a unit. GCC that does not optimise marks nothing, and it
 * did not before version 8. */
static void read_unit_lines(OriginSearch* search, Dwarf_Die* unit, size_t first)
{
   Found* found = search->found;
   size_t n_marks = found->inlines.n_marks;
   cg2d_inlinelines_read(search, unit, first);
   for (size_t i = first;
        found->inlines.n_marks == n_marks && i < found->inlines.n_instances;
        i++)
      found->instances[i].has_marks = 0;
}

static void visit_unit(void* data, Dwarf_Die* unit)
{
   OriginSearch* search = data;
   bool has_ranges;
   if (!ran(search, unit, &has_ranges) && has_ranges) return;
   size_t before = search->found->inlines.n_instances;
   search->has_marks = is_gnu(unit);
   search->shared.n_entered = 0;
   search->entries = (EntryWalk){.shapes = &search->object->shapes};
   walk(search, unit, CG2P_NONE, 0);
   if (search->found->inlines.n_instances > before)
      read_unit_lines(search, unit, before);
}

static int compare_marks(const void* a, const void* b)
{
   const cg2p_mark *x = a, *y = b;
   return x->address < y->address ? -1 : x->address > y->address;
}

/* The mark of a function at an address that is of no instance yet; NULL: there
 * is none. */
static cg2p_mark* free_mark(const OriginSearch* search, const cg2p_mark* wanted)
{
   const Found* found = search->found;
   size_t n = found->inlines.n_marks;
   cg2p_mark* marks = found->marks;
   for (size_t i =
           cg2p_search_first(k, 0, n, marks[k].address < wanted->address);
        i < n && marks[i].address == wanted->address; i++)
      if (marks[i].function == wanted->function &&
          marks[i].instance == CG2P_NONE)
         return &marks[i];
   return NULL;
}

/* Gives each instance without instructions the mark at its entry, or a new one,
 * and takes those of rests away. */
static void place_bare(OriginSearch* search)
{
   Found* found = search->found;
   size_t n = found->inlines.n_marks;
   for (size_t b = 0; b < search->bare.n; b++) {
      cg2p_mark bare = search->bare.all[b], *mark = free_mark(search, &bare);
      if (bare.instance == CG2P_NONE) {
         if (mark) mark->function = CG2P_NONE;
         continue;
      }
      if (!mark) {
         found->marks =
            cg2p_memory_grow(search->failure, found->marks, &found->marks_room,
                             n + 1, sizeof *mark);
         mark = &found->marks[n++];
      }
      *mark = bare;
   }
   found->inlines.n_marks = n;
}

static void sort_marks(Found* found)
{
   if (found->inlines.n_marks)
      qsort(found->marks, found->inlines.n_marks, sizeof *found->marks,
            compare_marks);
}

/* Gives functions the addresses of the copies that are called. */
static void end_search(OriginSearch* search)
{
   Found* found = search->found;
   for (size_t i = 0; i < search->n_origins; i++) {
      const InlineOrigin* origin = &search->origins[i];
      if (origin->function != CG2P_NONE)
         found->functions[origin->function].address = origin->address;
   }
   sort_marks(found);
   place_bare(search);
   sort_marks(found);
   found->inlines.functions = found->functions;
   found->inlines.instances = found->instances;
   found->inlines.instructions = found->instructions;
   found->inlines.marks = found->marks;
}

static void begin_search(OriginSearch* search)
{
   Found* found = search->found;
   found->instructions = cg2p_memory_grow(
      search->failure, found->instructions, &found->instructions_room,
      search->n + 1, sizeof *found->instructions);
   memset(found->instructions, 0, search->n * sizeof *found->instructions);
   for (size_t i = 0; i < search->n; i++)
      found->instructions[i].instance = CG2P_NONE;
}

/* Finds out which instructions of instances compute several values at once. */
static void find_packed(OriginSearch* search)
{
   enum { LONGEST = 16 }; /* bytes of an instruction */
   if (!search->n || !cg2d_object_is_x86(search->object)) return;
   size_t length;
   uint64_t first = search->addresses[0],
            end = search->addresses[search->n - 1] + LONGEST;
   const uint8_t* bytes =
      cg2d_image_bytes_at(search->object, first, end, &length);
   for (size_t i = 0; bytes && i < search->n; i++) {
      cg2p_instruction* instruction = &search->found->instructions[i];
      uint64_t at = search->addresses[i] - first;
      if (instruction->instance != CG2P_NONE && at < length)
         instruction->is_packed = cg2d_packed_is_packed(
            bytes + at, length - at, search->object->word == 8);
   }
}

static bool run(OriginSearch* search)
{
   if (setjmp(search->failure->caught)) return false;
   begin_search(search);
   cg2d_object_each_unit(search->object, visit_unit, search);
   find_packed(search);
   end_search(search);
   return true;
}

const cg2p_inlines* cg2d_object_inlines(cg2d_object* object,
                                        const uint64_t* addresses,
                                        size_t n,
                                        int demangles,
                                        cg2p_error* error)
{
   Failure failure = {.path = object->path, .error = error};
   OriginSearch search = {.object = object,
                          .failure = &failure,
                          .found = &object->inlines,
                          .addresses = addresses,
                          .n = n,
                          .names = {object, &failure, demangles != 0, {0}}};
   cg2d_object_free_found(&object->inlines);
   bool is_done = run(&search);
   free(search.origins);
   cg2p_hash_free(&search.origin_table);
   free(search.starts.all);
   free(search.places.all);
   free(search.bare.all);
   free(search.shared.entered);
   free(search.shared.is_unsure);
   cg2p_numbermap_free(&search.names.taken);
   if (is_done) return &object->inlines.inlines;
   cg2d_object_free_found(&object->inlines);
   return NULL;
}
