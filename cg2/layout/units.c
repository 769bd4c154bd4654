#include "layout/units.h"

#include "code/symbols.h"
#include "data/memory/regions.h"
#include "pub_tool_debuginfo.h"

/* The function at an address of code. */
static Bool find_function(Addr address, LayoutUnit* unit)
{
   UInt n;
   const Mapping* mappings = cg2_symbols_mappings(&n);
   for (UInt i = 0; i < n; i++) {
      const Mapping* m = &mappings[i];
      if (address < m->start || address >= m->end) continue;
      const UnwindRange* range =
         cg2_code_unwind_range(m->object, address - m->bias);
      if (!range) return False;
      *unit = (LayoutUnit){range->start + m->bias, range->end + m->bias, True};
      return True;
   }
   return False;
}

/* The variable at an address. Where it ends is not said. */
static Bool find_variable(Addr address, LayoutUnit* unit)
{
   const HChar* name;
   PtrdiffT offset;
   if (!VG_(get_datasym_and_offset)(VG_(current_DiEpoch)(), address, &name,
                                    &offset))
      return False;
   *unit = (LayoutUnit){address - offset, address + 1, True};
   return True;
}

/* Whether a region has a part of an object that is mapped. */
static Bool is_of_object(const Region* region)
{
   UInt n;
   const Mapping* mappings = cg2_symbols_mappings(&n);
   if (region->kind != REGION_FILE || !region->path) return False;
   for (UInt i = 0; i < n; i++)
      if (VG_STREQ(mappings[i].object->name->text, region->path)) return True;
   return False;
}

static Bool is_in_section(Addr address)
{
   return VG_(DebugInfo_sect_kind)(NULL, address) != Vg_SectUnknown;
}

/* A stack grows downwards, so that its end tells it. */
LayoutUnit cg2_units_find_map(Addr address)
{
   Region region = cg2_regions_find(address);
   if (is_in_section(address) || is_of_object(&region))
      return (LayoutUnit){region.start, address + 1, True};
   if (cg2_regions_thread(&region))
      return (LayoutUnit){region.end, region.end, False};
   return (LayoutUnit){region.start, region.end, False};
}

/* Whether an address is among an object's constants, which are in no section
 * that the core tells. */
static Bool is_constant(Addr address)
{
   Region region = cg2_regions_find(address);
   return !is_in_section(address) && is_of_object(&region);
}

LayoutUnit cg2_units_find(Addr address)
{
   LayoutUnit unit;
   VgSectKind kind = VG_(DebugInfo_sect_kind)(NULL, address);
   if (kind == Vg_SectText && find_function(address, &unit)) return unit;
   if ((kind == Vg_SectData || kind == Vg_SectBSS) &&
       find_variable(address, &unit))
      return unit;
   if (is_constant(address) && find_variable(address, &unit)) return unit;
   return cg2_units_find_map(address);
}
