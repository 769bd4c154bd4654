/* The static variables of an object. */

#include "dwarf/entries.h"
#include "dwarf/types.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A variable that is declared where its name is, and defined elsewhere. */
typedef struct Declared {
   Dwarf_Off entry;
   const char* name; /* with the names of what it is in */
} Declared;

/* A variable whose name is where it was declared. */
typedef struct Defined {
   Dwarf_Off declaration;
   size_t place; /* of the variable among all */
} Defined;

/* A symbol of a variable. */
typedef struct StaticSymbol {
   const char* name;
   uint64_t address;
   bool is_thread_local;
} StaticSymbol;

typedef struct StaticSymbols {
   StaticSymbol* all;
   size_t count, room;
} StaticSymbols;

/* The search for them. */
typedef struct StaticSearch {
   cg2d_object* object;
   Failure* failure;
   EntryWalk entries;
   char outer[4096];   /* the names of what the entry is in, each with "::" */
   size_t length;      /* of them */
   Declared* declared; /* of the unit, by rising place; freed by who searches */
   size_t n_declared, room;
   Defined* defined; /* of the unit; freed by who searches */
   size_t n_defined, defined_room;
   StaticSymbols symbols; /* freed by who searches */
} StaticSearch;

/* Whether the operation says where a thread-local variable is. */
static bool is_thread_local(const Dwarf_Op* operation)
{
   return operation->atom == DW_OP_form_tls_address ||
          operation->atom == DW_OP_GNU_push_tls_address;
}

/* The address that the first operation of a location states; false: none. */
static bool stated_address(Dwarf_Attribute* location,
                           const Dwarf_Op* operation,
                           Dwarf_Addr* address)
{
   Dwarf_Attribute indexed;
   switch (operation->atom) {
   case DW_OP_addr:
   case DW_OP_const4u:
   case DW_OP_const8u:
      *address = operation->number;
      return true;
   case DW_OP_addrx:
   case DW_OP_constx:
   case DW_OP_GNU_addr_index:
   case DW_OP_GNU_const_index:
      return dwarf_getlocation_attr(location, operation, &indexed) == 0 &&
             dwarf_formaddr(&indexed, address) == 0;
   default:
      return false;
   }
}

/* Finds where a variable is; false: in no one place. */
static bool
find_place(StaticSearch* search, Dwarf_Die* entry, cg2d_static* found)
{
   Dwarf_Attribute location;
   Dwarf_Op* operations;
   size_t n;
   if (!dwarf_attr(entry, DW_AT_location, &location) ||
       dwarf_getlocation(&location, &operations, &n) != 0 || n == 0 || n > 2 ||
       !stated_address(&location, &operations[0], &found->address))
      return false;
   found->is_thread_local = n == 2 && is_thread_local(&operations[1]);
   bool is_address = operations[0].atom != DW_OP_const4u &&
                     operations[0].atom != DW_OP_const8u;
   if (!found->is_thread_local) found->address += search->object->bias;
   return found->is_thread_local || (n == 1 && is_address);
}

/* The name of a variable with the names of what it is in. */
static const char* full_name(StaticSearch* search, const char* name)
{
   char text[sizeof search->outer + 512];
   snprintf(text, sizeof text, "%.*s%.511s", (int)search->length, search->outer,
            name);
   return cg2p_arena_text(&search->object->arena, search->failure, text,
                          strlen(text));
}

/* Notes the name of a variable that is only declared here. */
static void add_declared(StaticSearch* search, Dwarf_Die* entry)
{
   search->declared =
      cg2p_memory_grow(search->failure, search->declared, &search->room,
                       search->n_declared + 1, sizeof *search->declared);
   search->declared[search->n_declared++] = (Declared){
      dwarf_dieoffset(entry), full_name(search, cg2d_entries_name(entry))};
}

static int compare_declared(const void* a, const void* b)
{
   const Declared *x = a, *y = b;
   return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Where a variable was declared, if not where it is. */
static Dwarf_Off declaration_of(Dwarf_Die* entry)
{
   Dwarf_Attribute attribute;
   Dwarf_Die declaration;
   bool is_known = dwarf_attr(entry, DW_AT_specification, &attribute) &&
                   dwarf_formref_die(&attribute, &declaration);
   return is_known ? dwarf_dieoffset(&declaration) : 0;
}

/* Notes that a variable, the next that is added, has its name elsewhere, which
 * may be behind it in the unit. */
static void add_defined(StaticSearch* search, Dwarf_Off declaration)
{
   search->defined =
      cg2p_memory_grow(search->failure, search->defined, &search->defined_room,
                       search->n_defined + 1, sizeof *search->defined);
   search->defined[search->n_defined++] =
      (Defined){declaration, search->object->statics.count};
}

/* Gives the unit's variables that were declared elsewhere their names. */
static void name_defined(StaticSearch* search)
{
   for (size_t i = 0; search->n_declared && i < search->n_defined; i++) {
      Declared wanted = {.entry = search->defined[i].declaration};
      Declared* found = bsearch(&wanted, search->declared, search->n_declared,
                                sizeof wanted, compare_declared);
      size_t place = search->defined[i].place;
      if (found) search->object->statics.all[place].name = found->name;
   }
}

/* The size of what the entry describes; 0: not known. */
static uint64_t size_of(Dwarf_Die* entry)
{
   Dwarf_Die type;
   Dwarf_Word size;
   bool is_known = cg2d_entries_type(entry, &type) &&
                   dwarf_aggregate_size(&type, &size) == 0;
   return is_known ? size : 0;
}

static void add_variable(StaticSearch* search, Dwarf_Die* entry)
{
   cg2d_static found = {0};
   if (!find_place(search, entry, &found)) {
      if (dwarf_hasattr(entry, DW_AT_declaration)) add_declared(search, entry);
      return;
   }
   Statics* statics = &search->object->statics;
   statics->all =
      cg2p_memory_grow(search->failure, statics->all, &statics->room,
                       statics->count + 1, sizeof *statics->all);
   Dwarf_Off declaration = declaration_of(entry);
   if (declaration) add_defined(search, declaration);
   found.name = full_name(search, cg2d_entries_name(entry));
   found.file =
      cg2d_entries_declaring_file(search->object, search->failure, entry);
   found.line = cg2d_entries_declaring_line(entry);
   found.size = size_of(entry);
   found.type = cg2d_types_of_entry(search->object, search->failure, entry);
   statics->all[statics->count++] = found;
}

/* Whether variables may be inside of an entry, and whether their names have
 * its name in front. */
static bool holds_variables(int tag)
{
   return tag == DW_TAG_namespace || tag == DW_TAG_module ||
          tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
          tag == DW_TAG_inlined_subroutine || tag == DW_TAG_structure_type ||
          tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Puts the name of an entry behind those of what it is in. */
static void enter(StaticSearch* search, Dwarf_Die* entry)
{
   const char* name = cg2d_entries_name(entry);
   size_t left = sizeof search->outer - search->length;
   if (!name[0] || strlen(name) + sizeof "::" > left) return;
   search->length +=
      snprintf(search->outer + search->length, left, "%s::", name);
}

static void search_children(StaticSearch* search, Dwarf_Die* parent, int depth)
{
   Dwarf_Die entry;
   if (depth == DEPTH_MAX ||
       !cg2d_entries_enter(&search->entries, parent, &entry))
      return;
   do {
      int tag = dwarf_tag(&entry);
      size_t length = search->length;
      if (tag == DW_TAG_variable || tag == DW_TAG_member)
         add_variable(search, &entry);
      if (holds_variables(tag)) {
         enter(search, &entry);
         search_children(search, &entry, depth + 1);
      }
      search->length = length;
   } while (cg2d_entries_next(&search->entries, &entry));
}

static void search_unit(void* data, Dwarf_Die* unit)
{
   StaticSearch* search = data;
   search->n_declared = search->n_defined = 0;
   search->entries = (EntryWalk){.shapes = &search->object->shapes};
   search_children(search, unit, 0);
   name_defined(search);
}

/* By address; of one address the largest first. */
static int compare(const void* a, const void* b)
{
   const cg2d_static *x = a, *y = b;
   if (x->is_thread_local != y->is_thread_local)
      return x->is_thread_local ? 1 : -1;
   if (x->address != y->address) return x->address < y->address ? -1 : 1;
   return (x->size < y->size) - (x->size > y->size);
}

/* Leaves one variable at each address. */
static void leave_one_each(Statics* statics)
{
   size_t kept = 0;
   for (size_t i = 0; i < statics->count; i++) {
      cg2d_static* last = kept ? &statics->all[kept - 1] : NULL;
      bool is_same = last && last->address == statics->all[i].address &&
                     last->is_thread_local == statics->all[i].is_thread_local;
      if (!is_same) statics->all[kept++] = statics->all[i];
   }
   statics->count = kept;
}

/* ------------------------------------------------------------ symbols */

static int compare_symbols(const void* a, const void* b)
{
   const StaticSymbol *x = a, *y = b;
   if (x->is_thread_local != y->is_thread_local)
      return x->is_thread_local ? 1 : -1;
   return (x->address > y->address) - (x->address < y->address);
}

/* Collects the symbols of variables; the caller frees them. */
static void find_symbols(StaticSearch* search, StaticSymbols* symbols)
{
   Dwfl_Module* module = search->object->module;
   int n = dwfl_module_getsymtab(module);
   for (int i = 0; i < n; i++) {
      GElf_Sym symbol;
      GElf_Addr address;
      const char* name = dwfl_module_getsym_info(module, i, &symbol, &address,
                                                 NULL, NULL, NULL);
      int type = name ? GELF_ST_TYPE(symbol.st_info) : STT_NOTYPE;
      if (type != STT_OBJECT && type != STT_TLS) continue;
      bool is_thread_local = type == STT_TLS;
      if (!is_thread_local) address -= search->object->elf_bias;
      symbols->all =
         cg2p_memory_grow(search->failure, symbols->all, &symbols->room,
                          symbols->count + 1, sizeof *symbols->all);
      symbols->all[symbols->count++] = (StaticSymbol){
         name, is_thread_local ? symbol.st_value : address, is_thread_local};
   }
   if (symbols->count)
      qsort(symbols->all, symbols->count, sizeof *symbols->all,
            compare_symbols);
}

/* Gives each variable the name of its symbol. */
static void add_symbols(StaticSearch* search)
{
   const Statics* statics = &search->object->statics;
   find_symbols(search, &search->symbols);
   for (size_t i = 0; i < statics->count; i++) {
      cg2d_static* one = &statics->all[i];
      StaticSymbol wanted = {NULL, one->address, one->is_thread_local};
      StaticSymbol* found =
         search->symbols.count
            ? bsearch(&wanted, search->symbols.all, search->symbols.count,
                      sizeof wanted, compare_symbols)
            : NULL;
      one->symbol = found ? found->name : "";
   }
}

/* ------------------------------------------------------------ public */

static void find_statics(StaticSearch* search)
{
   Statics* statics = &search->object->statics;
   statics->count = 0;
   cg2d_object_each_unit(search->object, search_unit, search);
   if (statics->count)
      qsort(statics->all, statics->count, sizeof *statics->all, compare);
   leave_one_each(statics);
   add_symbols(search);
   statics->are_found = true;
}

static void free_search(StaticSearch* search)
{
   free(search->declared);
   free(search->defined);
   free(search->symbols.all);
}

const cg2d_static*
cg2d_object_statics(cg2d_object* object, size_t* count, cg2p_error* error)
{
   static const cg2d_static none;
   Statics* statics = &object->statics;
   Failure failure = {.path = object->path, .error = error};
   StaticSearch search = {.object = object, .failure = &failure};
   if (setjmp(failure.caught)) {
      free_search(&search);
      return NULL;
   }
   if (!statics->are_found) find_statics(&search);
   free_search(&search);
   *count = statics->count;
   return statics->count ? statics->all : &none;
}
