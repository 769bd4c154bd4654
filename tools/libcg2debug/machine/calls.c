#include "machine/calls.h"

#include "dwarf/entries.h"
#include "dwarf/functions.h"
#include "dwarf/types.h"

#include <dwarf.h>

/* The walk through a function. */
typedef struct CallWalk {
   cg2d_object* object;
   Failure* failure;
   CallSites* calls;
   EntryWalk entries;
} CallWalk;

static bool find_callee(Dwarf_Die* site, Dwarf_Die* callee)
{
   Dwarf_Attribute origin;
   return (dwarf_attr(site, DW_AT_call_origin, &origin) ||
           dwarf_attr(site, DW_AT_abstract_origin, &origin)) &&
          dwarf_formref_die(&origin, callee);
}

/* The address behind the call: DWARF 4 says it as the site's own. */
static bool find_next(Dwarf_Die* site, Dwarf_Addr* next)
{
   Dwarf_Attribute found;
   return (dwarf_attr(site, DW_AT_call_return_pc, &found) &&
           dwarf_formaddr(&found, next) == 0) ||
          dwarf_lowpc(site, next) == 0;
}

static void add(CallWalk* walk, Dwarf_Die* site)
{
   CallSites* calls = walk->calls;
   CallSite call;
   Dwarf_Addr next;
   if (!find_callee(site, &call.callee) || !find_next(site, &next)) return;
   call.next = next + walk->object->bias;
   calls->all = cg2p_memory_grow(walk->failure, calls->all, &calls->room,
                                 calls->count + 1, sizeof *calls->all);
   calls->all[calls->count++] = call;
}

static void walk_scope(CallWalk* walk, Dwarf_Die* scope, int depth)
{
   Dwarf_Die entry;
   if (depth == DEPTH_MAX || !cg2d_entries_enter(&walk->entries, scope, &entry))
      return;
   do {
      switch (dwarf_tag(&entry)) {
      case DW_TAG_call_site:
      case DW_TAG_GNU_call_site:
         add(walk, &entry);
         break;
      case DW_TAG_lexical_block:
      case DW_TAG_inlined_subroutine:
         walk_scope(walk, &entry, depth + 1);
         break;
      default:
         break;
      }
   } while (cg2d_entries_next(&walk->entries, &entry));
}

void cg2d_calls_find(cg2d_object* object,
                     Failure* failure,
                     Dwarf_Die* function,
                     CallSites* calls)
{
   CallWalk walk = {.object = object, .failure = failure, .calls = calls};
   walk_scope(&walk, function, 0);
}

bool cg2d_calls_callee(cg2d_object* object,
                       Failure* failure,
                       const CallSites* calls,
                       uint64_t next,
                       uint64_t target,
                       Dwarf_Die* callee)
{
   for (size_t i = 0; i < calls->count; i++) {
      if (calls->all[i].next != next) continue;
      *callee = calls->all[i].callee;
      return true;
   }
   const Piece* piece =
      target ? cg2d_functions_piece_at(object, failure, target) : NULL;
   if (!piece || piece->low != target) return false;
   *callee = piece->entry;
   return true;
}

uint32_t cg2d_calls_first_parameter(cg2d_object* object,
                                    Failure* failure,
                                    Dwarf_Die* function)
{
   Dwarf_Die entry;
   EntryWalk walk = {.shapes = NULL};
   if (!cg2d_entries_enter(&walk, function, &entry)) return 0;
   do {
      if (dwarf_tag(&entry) == DW_TAG_formal_parameter)
         return cg2d_types_of_entry(object, failure, &entry);
   } while (cg2d_entries_next(&walk, &entry));
   return 0;
}
