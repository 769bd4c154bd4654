#include "data/memory/regions.h"

#include "pub_tool_aspacemgr.h"

static RegionKind kind_of(const NSegment* segment)
{
   switch (segment->kind) {
   case SkAnonC:
      return REGION_ANONYMOUS;
   case SkFileC:
      return REGION_FILE;
   case SkShmC:
      return REGION_SHARED;
   default:
      return REGION_UNKNOWN;
   }
}

Region cg2_regions_find(Addr address)
{
   const NSegment* segment = VG_(am_find_nsegment)(address);
   if (!segment) {
      Addr start = VG_PGROUNDDN(address);
      return (Region){.start = start, .end = start + VKI_PAGE_SIZE};
   }
   Region region = {.start = segment->start,
                    .end = segment->end + 1,
                    .kind = kind_of(segment)};
   if (region.kind == REGION_FILE) {
      region.path = VG_(am_get_filename)(segment);
      region.offset = segment->offset;
   }
   return region;
}

void cg2_regions_each_anonymous(void (*visit)(const Region* region))
{
   Addr* starts = NULL;
   Int n = -64;
   while (n < 0) { /* room for so many is not enough */
      Int room = -n;
      starts = VG_(realloc)("cg2.regions", starts, (UInt)room * sizeof *starts);
      n = VG_(am_get_segment_starts)(SkAnonC, starts, room);
   }
   for (Int i = 0; i < n; i++) {
      Region region = cg2_regions_find(starts[i]);
      visit(&region);
   }
   VG_(free)(starts);
}

Bool cg2_regions_is_readable(Addr start, SizeT size)
{
   return VG_(am_is_valid_for_client)(start, size, VKI_PROT_READ);
}

UInt cg2_regions_thread(const Region* region)
{
   ThreadId tid;
   Addr lowest, highest;
   VG_(thread_stack_reset_iter)(&tid);
   while (VG_(thread_stack_next)(&tid, &lowest, &highest))
      if (highest >= region->start && highest < region->end) return tid;
   return 0;
}
