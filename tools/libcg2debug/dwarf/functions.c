#include "dwarf/functions.h"

#include "base/search.h"
#include "dwarf/entries.h"

#include <dwarf.h>
#include <stdlib.h>

/* The walk through a unit. */
typedef struct FunctionWalk {
   cg2d_object* object;
   Failure* failure;
   EntryWalk entries;
} FunctionWalk;

static void add_pieces(FunctionWalk* walk, Dwarf_Die* entry)
{
   Functions* functions = &walk->object->functions;
   Dwarf_Addr base, low, high, bias = walk->object->bias;
   ptrdiff_t at = 0;
   while ((at = dwarf_ranges(entry, at, &base, &low, &high)) > 0) {
      if (low >= high) continue;
      functions->all =
         cg2p_memory_grow(walk->failure, functions->all, &functions->room,
                          functions->count + 1, sizeof *functions->all);
      functions->all[functions->count++] =
         (Piece){low + bias, high + bias, *entry};
   }
}

static bool holds_functions(int tag)
{
   return tag == DW_TAG_namespace || tag == DW_TAG_module ||
          tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
          tag == DW_TAG_subprogram || tag == DW_TAG_union_type ||
          tag == DW_TAG_enumeration_type;
}

static void walk_children(FunctionWalk* walk, Dwarf_Die* parent, int depth)
{
   Dwarf_Die entry;
   if (depth == DEPTH_MAX ||
       !cg2d_entries_enter(&walk->entries, parent, &entry))
      return;
   do {
      int tag = dwarf_tag(&entry);
      if (tag == DW_TAG_subprogram) add_pieces(walk, &entry);
      if (holds_functions(tag)) walk_children(walk, &entry, depth + 1);
   } while (cg2d_entries_next(&walk->entries, &entry));
}

static void visit_unit(void* data, Dwarf_Die* unit)
{
   FunctionWalk* walk = data;
   walk->entries = (EntryWalk){.shapes = &walk->object->shapes};
   walk_children(walk, unit, 0);
}

static int compare(const void* a, const void* b)
{
   const Piece *x = a, *y = b;
   return (x->low > y->low) - (x->low < y->low);
}

static void find_all(cg2d_object* object, Failure* failure)
{
   Functions* functions = &object->functions;
   FunctionWalk walk = {.object = object, .failure = failure};
   functions->count = 0;
   cg2d_object_each_unit(object, visit_unit, &walk);
   if (functions->count)
      qsort(functions->all, functions->count, sizeof *functions->all, compare);
   functions->are_found = true;
}

const Piece*
cg2d_functions_piece_at(cg2d_object* object, Failure* failure, uint64_t address)
{
   const Functions* functions = &object->functions;
   if (!functions->are_found) find_all(object, failure);
   const Piece* all = functions->all;
   size_t behind =
      cg2p_search_first(i, 0, functions->count, all[i].low <= address);
   const Piece* piece = behind ? &all[behind - 1] : NULL;
   return piece && address < piece->high ? piece : NULL;
}
