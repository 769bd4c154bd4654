#include "dwarf/entries.h"

#include <dwarf.h>
#include <stdio.h>

/* Whether the walk has not read an entry yet; it has then. */
static bool is_new(EntryWalk* walk, const Dwarf_Die* entry)
{
   if ((uintptr_t)entry->addr <= (uintptr_t)walk->last) return false;
   walk->last = entry->addr;
   return true;
}

bool cg2d_entries_enter(EntryWalk* walk, Dwarf_Die* parent, Dwarf_Die* entry)
{
   ShapesAnswer answer = SHAPES_UNKNOWN;
   if (walk->shapes) answer = cg2d_shapes_enter(walk->shapes, parent, entry);
   if (answer == SHAPES_UNKNOWN)
      answer = dwarf_child(parent, entry) ? SHAPES_NONE : SHAPES_FOUND;
   return answer == SHAPES_FOUND && is_new(walk, entry);
}

bool cg2d_entries_next(EntryWalk* walk, Dwarf_Die* entry)
{
   ShapesAnswer answer = SHAPES_UNKNOWN;
   if (walk->shapes) answer = cg2d_shapes_next(walk->shapes, entry);
   if (answer == SHAPES_UNKNOWN)
      answer = dwarf_siblingof(entry, entry) ? SHAPES_NONE : SHAPES_FOUND;
   return answer == SHAPES_FOUND && is_new(walk, entry);
}

bool cg2d_entries_holds_code(Dwarf_Die* entry)
{
   switch (dwarf_tag(entry)) {
   case DW_TAG_lexical_block:
   case DW_TAG_try_block:
   case DW_TAG_catch_block:
   case DW_TAG_with_stmt:
   case DW_TAG_namespace:
   case DW_TAG_module:
   case DW_TAG_structure_type:
   case DW_TAG_class_type:
   case DW_TAG_union_type:
   case DW_TAG_enumeration_type:
      return true;
   default:
      return false;
   }
}

static const char* text_of(Dwarf_Die* entry, unsigned attribute)
{
   Dwarf_Attribute found;
   const char* text =
      dwarf_formstring(dwarf_attr_integrate(entry, attribute, &found));
   return text ? text : "";
}

const char* cg2d_entries_name(Dwarf_Die* entry)
{
   return text_of(entry, DW_AT_name);
}

const char* cg2d_entries_linkage_name(Dwarf_Die* entry)
{
   const char* name = text_of(entry, DW_AT_linkage_name);
   return name[0] ? name : text_of(entry, DW_AT_MIPS_linkage_name);
}

/* A path that begins where the unit was compiled, as a whole. */
static const char* path_from_unit(cg2d_object* object,
                                  Failure* failure,
                                  Dwarf_Die* entry,
                                  const char* file)
{
   Dwarf_Die unit;
   Dwarf_Attribute found;
   char path[4096];
   if (!dwarf_diecu(entry, &unit, NULL, NULL)) return file;
   const char* directory =
      dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &found));
   if (!directory) return file;
   snprintf(path, sizeof path, "%s/%s", directory, file);
   return cg2p_arena_text(&object->arena, failure, path, strlen(path));
}

const char* cg2d_entries_stated_file(Dwarf_Die* entry, unsigned attribute)
{
   Dwarf_Attribute found;
   Dwarf_Word number;
   Dwarf_Die unit;
   Dwarf_Files* files;
   size_t n;
   if (dwarf_formudata(dwarf_attr_integrate(entry, attribute, &found),
                       &number) ||
       !dwarf_cu_die(found.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
       dwarf_getsrcfiles(&unit, &files, &n) != 0 || number >= n)
      return "";
   const char* file = dwarf_filesrc(files, number, NULL, NULL);
   return file ? file : "";
}

const char* cg2d_entries_file(cg2d_object* object,
                              Failure* failure,
                              Dwarf_Die* entry,
                              unsigned attribute)
{
   const char* file = cg2d_entries_stated_file(entry, attribute);
   return cg2d_entries_whole_path(object, failure, entry, file);
}

const char* cg2d_entries_whole_path(cg2d_object* object,
                                    Failure* failure,
                                    Dwarf_Die* entry,
                                    const char* file)
{
   if (!file[0] || file[0] == '/') return file;
   FilePath* last = &object->last_file;
   if (last->file != file)
      *last = (FilePath){file, path_from_unit(object, failure, entry, file)};
   return last->path;
}

const char* cg2d_entries_declaring_file(cg2d_object* object,
                                        Failure* failure,
                                        Dwarf_Die* entry)
{
   return cg2d_entries_file(object, failure, entry, DW_AT_decl_file);
}

uint32_t cg2d_entries_declaring_line(Dwarf_Die* entry)
{
   int line = 0;
   return dwarf_decl_line(entry, &line) == 0 && line > 0 ? line : 0;
}

bool cg2d_entries_number(Dwarf_Die* entry, unsigned attribute, uint64_t* value)
{
   Dwarf_Attribute found;
   Dwarf_Word word;
   if (dwarf_formudata(dwarf_attr_integrate(entry, attribute, &found), &word))
      return false;
   *value = word;
   return true;
}

bool cg2d_entries_address(Dwarf_Die* entry, uint64_t* address)
{
   Dwarf_Addr base, end;
   return dwarf_entrypc(entry, address) == 0 ||
          dwarf_ranges(entry, 0, &base, address, &end) > 0;
}

bool cg2d_entries_is_c(Dwarf_Die* entry)
{
   Dwarf_Die unit;
   if (!dwarf_diecu(entry, &unit, NULL, NULL)) return false;
   switch (dwarf_srclang(&unit)) {
   case DW_LANG_C89:
   case DW_LANG_C:
   case DW_LANG_C99:
   case DW_LANG_C11:
      return true;
   default:
      return false;
   }
}

bool cg2d_entries_type(Dwarf_Die* entry, Dwarf_Die* type)
{
   Dwarf_Attribute found;
   if (!dwarf_formref_die(dwarf_attr_integrate(entry, DW_AT_type, &found),
                          type))
      return false;
   Dwarf_Die whole;
   if (dwarf_attr(type, DW_AT_signature, &found) &&
       dwarf_formref_die(&found, &whole))
      *type = whole;
   return true;
}
