#include "dwarf/index.h"

#include "dwarf/entries.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A walk through a unit. */
typedef struct IndexWalk {
   cg2d_object* object;
   Failure* failure;
   EntryWalk entries;
   char outer[2048]; /* the names of what the entry is in, each with "::" */
   size_t length;    /* of them */
} IndexWalk;

static uint64_t key_of(const Dwarf_Die* entry)
{
   return (uintptr_t)entry->addr;
}

static bool is_compound(int tag)
{
   return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
          tag == DW_TAG_union_type;
}

static bool is_named_type(int tag)
{
   return is_compound(tag) || tag == DW_TAG_enumeration_type ||
          tag == DW_TAG_typedef;
}

/* Notes the name of a type, unless it has one already. */
static void
add(IndexWalk* walk, Dwarf_Die* entry, const char* name, bool is_whole)
{
   Index* index = &walk->object->index;
   Failure* failure = walk->failure;
   char text[sizeof walk->outer + 2048];
   if (cg2p_numbermap_find(&index->by_entry, key_of(entry))) return;
   snprintf(text, sizeof text, "%.*s%.2000s", (int)walk->length, walk->outer,
            name);
   index->all = cg2p_memory_grow(failure, index->all, &index->room,
                                 index->count + 1, sizeof *index->all);
   NamedType* named = &index->all[index->count];
   *named = (NamedType){*entry, cg2p_arena_text(&walk->object->arena, failure,
                                                text, strlen(text))};
   index->count++;
   cg2p_numbermap_set(&index->by_entry, failure, key_of(entry), index->count);
   uint64_t key = cg2p_numbermap_key(named->name);
   if (is_whole && !cg2p_numbermap_find(&index->definition, key))
      cg2p_numbermap_set(&index->definition, failure, key, index->count);
}

/* A structure without a name has that of the first typedef of it. */
static void add_by_typedef(IndexWalk* walk, Dwarf_Die* entry, const char* name)
{
   Dwarf_Die type;
   if (cg2d_entries_type(entry, &type) &&
       (is_compound(dwarf_tag(&type)) ||
        dwarf_tag(&type) == DW_TAG_enumeration_type) &&
       !dwarf_diename(&type))
      add(walk, &type, name, true);
   add(walk, entry, name, true);
}

static void add_type(IndexWalk* walk, Dwarf_Die* entry)
{
   const char* name = dwarf_diename(entry);
   if (!name || !name[0]) return;
   if (dwarf_tag(entry) == DW_TAG_typedef)
      add_by_typedef(walk, entry, name);
   else
      add(walk, entry, name, !dwarf_hasattr(entry, DW_AT_declaration));
}

static bool holds_types(int tag)
{
   return is_compound(tag) || tag == DW_TAG_namespace || tag == DW_TAG_module ||
          tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

/* Puts the name of an entry behind those of what it is in. */
static void enter(IndexWalk* walk, Dwarf_Die* entry, int tag)
{
   const char* name = dwarf_diename(entry);
   size_t left = sizeof walk->outer - walk->length;
   if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) return;
   if (!name && tag == DW_TAG_namespace) name = "(anonymous namespace)";
   if (!name || strlen(name) + sizeof "::" > left) return;
   walk->length += snprintf(walk->outer + walk->length, left, "%s::", name);
}

static void walk_children(IndexWalk* walk, Dwarf_Die* parent, int depth)
{
   Dwarf_Die entry;
   if (depth == DEPTH_MAX ||
       !cg2d_entries_enter(&walk->entries, parent, &entry))
      return;
   do {
      int tag = dwarf_tag(&entry);
      size_t length = walk->length;
      if (is_named_type(tag)) add_type(walk, &entry);
      if (holds_types(tag)) {
         enter(walk, &entry, tag);
         walk_children(walk, &entry, depth + 1);
      }
      walk->length = length;
   } while (cg2d_entries_next(&walk->entries, &entry));
}

/* Indexes a unit, once. */
static void add_unit(cg2d_object* object, Failure* failure, Dwarf_Die* unit)
{
   NumberMap* units = &object->index.units;
   if (cg2p_numbermap_find(units, key_of(unit))) return;
   cg2p_numbermap_set(units, failure, key_of(unit), 1);
   IndexWalk walk = {.object = object,
                     .failure = failure,
                     .entries = {.shapes = &object->shapes}};
   walk_children(&walk, unit, 0);
}

const char*
cg2d_index_name(cg2d_object* object, Failure* failure, Dwarf_Die* entry)
{
   Index* index = &object->index;
   Dwarf_Die unit;
   if (dwarf_diecu(entry, &unit, NULL, NULL)) add_unit(object, failure, &unit);
   uint64_t number = cg2p_numbermap_find(&index->by_entry, key_of(entry));
   return number ? index->all[number - 1].name : "";
}

static void visit_unit(void* data, Dwarf_Die* unit)
{
   IndexWalk* walk = data;
   add_unit(walk->object, walk->failure, unit);
}

bool cg2d_index_find(cg2d_object* object,
                     Failure* failure,
                     const char* name,
                     Dwarf_Die* entry)
{
   Index* index = &object->index;
   uint64_t key = cg2p_numbermap_key(name);
   uint64_t number = cg2p_numbermap_find(&index->definition, key);
   if (!number && !index->has_all) {
      IndexWalk walk = {.object = object, .failure = failure};
      cg2d_object_each_unit(object, visit_unit, &walk);
      index->has_all = true;
      number = cg2p_numbermap_find(&index->definition, key);
   }
   if (number) *entry = index->all[number - 1].entry;
   return number != 0;
}
