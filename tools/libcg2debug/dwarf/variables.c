#include "dwarf/variables.h"

#include "dwarf/entries.h"
#include "dwarf/types.h"

#include <dwarf.h>
#include <stdlib.h>

/* The walk through a function. */
typedef struct VariableWalk {
   cg2d_object* object;
   Failure* failure;
   VariablePlaces* places;
   EntryWalk entries;
} VariableWalk;

/* What a part of a location says; false: nothing that can be used. */
static bool
understand(const Dwarf_Op* operations, size_t n, VariablePlace* place)
{
   if (n == 0 || n > 2 || (n == 2 && operations[1].atom != DW_OP_stack_value))
      return false;
   const Dwarf_Op* first = &operations[0];
   unsigned atom = first->atom;
   bool is_value = n == 2;
   if (n == 1 &&
       (atom == DW_OP_regx || (atom >= DW_OP_reg0 && atom <= DW_OP_reg31))) {
      place->kind = IN_REGISTER;
      place->reg = atom == DW_OP_regx ? first->number : atom - DW_OP_reg0;
      return true;
   }
   if (n == 1 && atom == DW_OP_fbreg) {
      place->kind = IN_FRAME;
      place->offset = (int64_t)first->number;
      return true;
   }
   bool is_based = atom >= DW_OP_breg0 && atom <= DW_OP_breg31;
   if (!is_based && atom != DW_OP_bregx) return false;
   place->kind = is_value ? BY_REGISTER : AT_REGISTER;
   place->reg = is_based ? atom - DW_OP_breg0 : first->number;
   place->offset = (int64_t)(is_based ? first->number : first->number2);
   return true;
}

static void add(VariableWalk* walk, const VariablePlace* place)
{
   VariablePlaces* places = walk->places;
   places->all = cg2p_memory_grow(walk->failure, places->all, &places->room,
                                  places->count + 1, sizeof *places->all);
   places->all[places->count++] = *place;
}

/* Adds a location, piece by piece if it has several. */
static void add_location(VariableWalk* walk,
                         VariablePlace place,
                         Dwarf_Op* operations,
                         size_t n)
{
   size_t start = 0;
   for (size_t i = 0; i < n; i++) {
      if (operations[i].atom != DW_OP_piece) continue;
      if (understand(operations + start, i - start, &place)) add(walk, &place);
      place.piece += operations[i].number;
      place.offset = 0;
      start = i + 1;
   }
   if (start == 0 && understand(operations, n, &place)) add(walk, &place);
}

/* Adds a location that holds wherever the variable is known: in each range of
 * what it is in. */
static void add_everywhere(VariableWalk* walk,
                           VariablePlace place,
                           Dwarf_Die* scope,
                           Dwarf_Op* operations,
                           size_t n)
{
   Dwarf_Addr base, low, high, bias = walk->object->bias;
   ptrdiff_t at = 0;
   while ((at = dwarf_ranges(scope, at, &base, &low, &high)) > 0) {
      place.low = low + bias;
      place.high = high + bias;
      add_location(walk, place, operations, n);
   }
}

static void add_variable(VariableWalk* walk, Dwarf_Die* entry, Dwarf_Die* scope)
{
   VariablePlace place = {.variable = *entry};
   Dwarf_Attribute location;
   Dwarf_Addr base, low, high, bias = walk->object->bias;
   Dwarf_Op* operations;
   ptrdiff_t at = 0;
   size_t n;
   if (!dwarf_attr(entry, DW_AT_location, &location)) return;
   while ((at = dwarf_getlocations(&location, at, &base, &low, &high,
                                   &operations, &n)) > 0) {
      if (!place.type)
         place.type = cg2d_types_of_entry(walk->object, walk->failure, entry);
      bool is_everywhere = low == 0 && high == (Dwarf_Addr)-1;
      place.low = low + bias;
      place.high = high + bias;
      if (is_everywhere)
         add_everywhere(walk, place, scope, operations, n);
      else if (low < high)
         add_location(walk, place, operations, n);
   }
}

static void
walk_scope(VariableWalk* walk, Dwarf_Die* scope, Dwarf_Die* code, int depth)
{
   Dwarf_Die entry;
   if (depth == DEPTH_MAX || !cg2d_entries_enter(&walk->entries, scope, &entry))
      return;
   do {
      switch (dwarf_tag(&entry)) {
      case DW_TAG_formal_parameter:
      case DW_TAG_variable:
         add_variable(walk, &entry, code);
         break;
      case DW_TAG_lexical_block:
      case DW_TAG_inlined_subroutine: {
         bool has_code = dwarf_hasattr(&entry, DW_AT_low_pc) ||
                         dwarf_hasattr(&entry, DW_AT_ranges);
         Dwarf_Die inner = has_code ? entry : *code;
         walk_scope(walk, &entry, &inner, depth + 1);
         break;
      }
      default:
         break;
      }
   } while (cg2d_entries_next(&walk->entries, &entry));
}

static int compare(const void* a, const void* b)
{
   const VariablePlace *x = a, *y = b;
   return (x->low > y->low) - (x->low < y->low);
}

void cg2d_variables_find_places(cg2d_object* object,
                                Failure* failure,
                                Dwarf_Die* function,
                                VariablePlaces* places)
{
   VariableWalk walk = {.object = object, .failure = failure, .places = places};
   walk_scope(&walk, function, function, 0);
   if (places->count)
      qsort(places->all, places->count, sizeof *places->all, compare);
}
