#include "dwarf/index.h"

#include "dwarf/entries.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Something that entries are in. */
typedef struct Outer {
   Dwarf_Die entry;
   int tag;
   size_t length;     /* of the names up to its own */
   const char* scope; /* these without the last "::", once they were needed */
} Outer;

/* A walk through a unit. */
typedef struct IndexWalk {
   cg2d_object* object;
   Failure* failure;
   EntryWalk entries;
   Outer outer[DEPTH_MAX]; /* what the entry is in */
   int depth, named;       /* how many these are; how many of them have names */
   char names[2048];       /* each with "::" */
   size_t length;          /* of them */
   bool wants_types;       /* not only what functions are in */
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

/* Puts the name of something behind those of what it is in. */
static void name_outer(IndexWalk* walk, Outer* outer)
{
   bool is_named =
      outer->tag != DW_TAG_subprogram && outer->tag != DW_TAG_lexical_block;
   const char* name = is_named ? dwarf_diename(&outer->entry) : NULL;
   size_t left = sizeof walk->names - walk->length;
   if (!name && outer->tag == DW_TAG_namespace) name = "(anonymous namespace)";
   if (name && strlen(name) + sizeof "::" <= left)
      walk->length += snprintf(walk->names + walk->length, left, "%s::", name);
   outer->length = walk->length;
   outer->scope = NULL;
}

/* Names all that the entry is in, as most of what is entered has nothing in it
 * whose name is asked for. */
static void name_all(IndexWalk* walk)
{
   while (walk->named < walk->depth)
      name_outer(walk, &walk->outer[walk->named++]);
}

static void leave(IndexWalk* walk)
{
   walk->depth--;
   if (walk->named <= walk->depth) return;
   walk->named = walk->depth;
   walk->length = walk->depth ? walk->outer[walk->depth - 1].length : 0;
}

/* Notes the name of a type, unless it has one already. */
static void
add(IndexWalk* walk, Dwarf_Die* entry, const char* name, bool is_whole)
{
   Index* index = &walk->object->index;
   Failure* failure = walk->failure;
   char text[sizeof walk->names + 2048];
   if (cg2p_numbermap_find(&index->by_entry, key_of(entry))) return;
   name_all(walk);
   snprintf(text, sizeof text, "%.*s%.2000s", (int)walk->length, walk->names,
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

/* Notes what a function is in, whose name does not say so. */
static void add_function(IndexWalk* walk, Dwarf_Die* entry)
{
   cg2d_object* object = walk->object;
   if (!walk->depth || dwarf_hasattr(entry, DW_AT_linkage_name)) return;
   name_all(walk);
   if (!walk->length) return;
   Outer* outer = &walk->outer[walk->depth - 1];
   if (!outer->scope)
      outer->scope = cg2p_arena_text(&object->arena, walk->failure, walk->names,
                                     walk->length - strlen("::"));
   cg2p_numbermap_set(&object->index.scopes, walk->failure, key_of(entry),
                      (uintptr_t)outer->scope);
}

static bool holds_types(int tag)
{
   return is_compound(tag) || tag == DW_TAG_namespace || tag == DW_TAG_module ||
          tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

static void walk_children(IndexWalk* walk, Dwarf_Die* parent)
{
   Dwarf_Die entry;
   if (!cg2d_entries_enter(&walk->entries, parent, &entry)) return;
   do {
      int tag = dwarf_tag(&entry);
      if (tag == DW_TAG_subprogram) add_function(walk, &entry);
      if (walk->wants_types && is_named_type(tag)) add_type(walk, &entry);
      if (!holds_types(tag) || walk->depth == DEPTH_MAX) continue;
      walk->outer[walk->depth++] = (Outer){.entry = entry, .tag = tag};
      walk_children(walk, &entry);
      leave(walk);
   } while (cg2d_entries_next(&walk->entries, &entry));
}

/* Indexes a unit, once; its types later, if these are wanted later. */
static void add_unit(cg2d_object* object,
                     Failure* failure,
                     Dwarf_Die* unit,
                     bool wants_types)
{
   enum { HAS_SCOPES = 1, HAS_TYPES };
   NumberMap* units = &object->index.units;
   uint64_t has = cg2p_numbermap_find(units, key_of(unit)),
            wanted = wants_types ? HAS_TYPES : HAS_SCOPES;
   if (has >= wanted) return;
   cg2p_numbermap_set(units, failure, key_of(unit), wanted);
   IndexWalk walk = {.object = object,
                     .failure = failure,
                     .entries = {.shapes = &object->shapes},
                     .wants_types = wants_types};
   walk_children(&walk, unit);
}

/* Indexes the unit of an entry. */
static void add_unit_of(cg2d_object* object,
                        Failure* failure,
                        Dwarf_Die* entry,
                        bool wants_types)
{
   Dwarf_Die unit;
   if (dwarf_diecu(entry, &unit, NULL, NULL))
      add_unit(object, failure, &unit, wants_types);
}

const char*
cg2d_index_scope(cg2d_object* object, Failure* failure, Dwarf_Die* entry)
{
   Dwarf_Attribute found;
   Dwarf_Die declared = *entry, next;
   for (int depth = 0; depth < DEPTH_MAX; depth++) {
      if (!dwarf_attr(&declared, DW_AT_specification, &found) ||
          !dwarf_formref_die(&found, &next))
         break;
      declared = next;
   }
   if (cg2d_entries_is_c(&declared)) return "";
   add_unit_of(object, failure, &declared, false);
   uint64_t text =
      cg2p_numbermap_find(&object->index.scopes, key_of(&declared));
   return text ? (const char*)(uintptr_t)text : "";
}

const char*
cg2d_index_name(cg2d_object* object, Failure* failure, Dwarf_Die* entry)
{
   Index* index = &object->index;
   add_unit_of(object, failure, entry, true);
   uint64_t number = cg2p_numbermap_find(&index->by_entry, key_of(entry));
   return number ? index->all[number - 1].name : "";
}

static void visit_unit(void* data, Dwarf_Die* unit)
{
   IndexWalk* walk = data;
   add_unit(walk->object, walk->failure, unit, true);
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
