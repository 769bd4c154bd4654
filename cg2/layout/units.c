#include "layout/units.h"

#include "code/symbols.h"
#include "data/memory/regions.h"
#include "pub_tool_debuginfo.h"

/* The function at an address of code. */
static Bool find_function(Addr address, Unit* unit)
{
   UInt n;
   const Mapping* mappings = cg2_symbols_mappings(&n);
   for (UInt i = 0; i < n; i++) {
      const Mapping* m = &mappings[i];
      if (address < m->start || address >= m->end) continue;
      const UnwindRange* range =
         cg2_code_unwind_range(m->object, address - m->bias);
      if (!range) return False;
      *unit = (Unit){range->start + m->bias, range->end + m->bias};
      return True;
   }
   return False;
}

/* The variable at an address. Where it ends is not said. */
static Bool find_variable(Addr address, Unit* unit)
{
   const HChar* name;
   PtrdiffT offset;
   if (!VG_(get_datasym_and_offset)(VG_(current_DiEpoch)(), address, &name,
                                    &offset))
      return False;
   *unit = (Unit){address - offset, address + 1};
   return True;
}

/* A stack grows downwards, so that its end tells it. */
static Unit unit_of_region(Addr address, Bool is_of_object)
{
   Region region = cg2_regions_find(address);
   if (is_of_object) return (Unit){region.start, address + 1};
   Addr anchor = cg2_regions_thread(&region) ? region.end : region.start;
   return (Unit){anchor, region.end};
}

Unit cg2_units_find(Addr address)
{
   Unit unit;
   switch (VG_(DebugInfo_sect_kind)(NULL, address)) {
   case Vg_SectText:
      if (find_function(address, &unit)) return unit;
      return unit_of_region(address, True);
   case Vg_SectData:
   case Vg_SectBSS:
      if (find_variable(address, &unit)) return unit;
      return unit_of_region(address, True);
   case Vg_SectUnknown: {
      /* Constants are in no section that the core tells. */
      Region region = cg2_regions_find(address);
      if (region.kind == REGION_FILE && find_variable(address, &unit))
         return unit;
      return unit_of_region(address, region.kind == REGION_FILE);
   }
   default:
      return unit_of_region(address, True);
   }
}
