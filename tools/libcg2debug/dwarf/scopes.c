/* An entry does not say what it is in. The way to it leads from the top of its
 * unit down, in each entry to the last one that begins before it. Few entries
 * are gone into for all that are asked for, and only these are taken apart. */
#include "dwarf/scopes.h"

#include "base/search.h"
#include "dwarf/entries.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAMES_MAX = 2048 }; /* letters of a scope; what is longer is left out */

static bool holds_functions(int tag)
{
   return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
          tag == DW_TAG_union_type || tag == DW_TAG_namespace ||
          tag == DW_TAG_module || tag == DW_TAG_subprogram ||
          tag == DW_TAG_lexical_block;
}

static void clear(Scopes* scopes)
{
   scopes->n_levels = scopes->n_inner = 0;
   cg2p_numbermap_free(&scopes->by_entry);
   scopes->by_entry = (NumberMap){0};
}

/* What is in an entry, as text: what the entry is in, and its own name. */
static const char* scope_in(cg2d_object* object,
                            Failure* failure,
                            Dwarf_Die* entry,
                            const char* outer)
{
   char text[NAMES_MAX];
   int tag = dwarf_tag(entry);
   bool is_named = tag != DW_TAG_subprogram && tag != DW_TAG_lexical_block &&
                   holds_functions(tag);
   const char* name = is_named ? dwarf_diename(entry) : NULL;
   if (!name && tag == DW_TAG_namespace) name = "(anonymous namespace)";
   size_t before = *outer ? strlen(outer) + strlen("::") : 0;
   if (!name || before + strlen(name) + sizeof "::" > sizeof text) return outer;
   snprintf(text, sizeof text, "%s%s%s", outer, *outer ? "::" : "", name);
   return cg2p_arena_text(&object->arena, failure, text, strlen(text));
}

/* Notes the entries in another one. In broken debug information these may be in
 * others, too: there are not more than the unit has bytes so far. */
static void add_inner(cg2d_object* object,
                      Failure* failure,
                      Dwarf_Die* unit,
                      ScopeLevel* level)
{
   Scopes* scopes = &object->scopes;
   EntryWalk walk = {.shapes = &object->shapes};
   Dwarf_Die entry, outer = level->entry;
   level->first = level->end = scopes->n_inner;
   if (!cg2d_entries_enter(&walk, &outer, &entry)) return;
   do {
      if (scopes->n_inner > (size_t)((char*)entry.addr - (char*)unit->addr))
         return;
      scopes->inner =
         cg2p_memory_grow(failure, scopes->inner, &scopes->inner_room,
                          scopes->n_inner + 1, sizeof *scopes->inner);
      scopes->inner[scopes->n_inner++] = entry.addr;
      level->end = scopes->n_inner;
   } while (cg2d_entries_next(&walk, &entry));
}

/* The level of an entry, which is added if it is new. */
static const ScopeLevel* level_of(cg2d_object* object,
                                  Failure* failure,
                                  Dwarf_Die* unit,
                                  Dwarf_Die* entry,
                                  const char* outer)
{
   Scopes* scopes = &object->scopes;
   uint64_t key = (uintptr_t)entry->addr;
   uint64_t number = cg2p_numbermap_find(&scopes->by_entry, key);
   if (number) return &scopes->levels[number - 1];
   ScopeLevel made = {.entry = *entry};
   made.scope = scope_in(object, failure, entry, outer);
   add_inner(object, failure, unit, &made);
   scopes->levels =
      cg2p_memory_grow(failure, scopes->levels, &scopes->levels_room,
                       scopes->n_levels + 1, sizeof *scopes->levels);
   scopes->levels[scopes->n_levels++] = made;
   cg2p_numbermap_set(&scopes->by_entry, failure, key, scopes->n_levels);
   return &scopes->levels[scopes->n_levels - 1];
}

/* The scope of an entry of a unit. */
static const char* find(cg2d_object* object,
                        Failure* failure,
                        Dwarf_Die* unit,
                        const Dwarf_Die* entry)
{
   Scopes* scopes = &object->scopes;
   const char* wanted = entry->addr;
   const ScopeLevel* level = level_of(object, failure, unit, unit, "");
   for (int depth = 0; depth <= DEPTH_MAX; depth++) {
      size_t behind = cg2p_search_first(i, level->first, level->end,
                                        scopes->inner[i] <= wanted);
      if (behind == level->first) return "";
      const char* last = scopes->inner[behind - 1];
      if (last == wanted) return level->scope;
      Dwarf_Die outer = {.addr = (void*)(uintptr_t)last, .cu = unit->cu};
      if (!holds_functions(dwarf_tag(&outer))) return "";
      level = level_of(object, failure, unit, &outer, level->scope);
   }
   return "";
}

/* What declares a function that an entry is of. */
static Dwarf_Die declaration_of(const Dwarf_Die* entry)
{
   Dwarf_Attribute found;
   Dwarf_Die declared = *entry, next;
   for (int depth = 0; depth < DEPTH_MAX; depth++) {
      if (!dwarf_attr(&declared, DW_AT_specification, &found) ||
          !dwarf_formref_die(&found, &next))
         break;
      declared = next;
   }
   return declared;
}

const char*
cg2d_scopes_name(cg2d_object* object, Failure* failure, Dwarf_Die* entry)
{
   Dwarf_Die declared = declaration_of(entry), unit;
   if (cg2d_entries_is_c(&declared) ||
       dwarf_tag(&declared) != DW_TAG_subprogram ||
       dwarf_hasattr(&declared, DW_AT_linkage_name) ||
       !dwarf_diecu(&declared, &unit, NULL, NULL))
      return "";
   if (object->scopes.unit != unit.cu) clear(&object->scopes);
   object->scopes.unit = unit.cu;
   return find(object, failure, &unit, &declared);
}
