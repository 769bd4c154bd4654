#include "run/freshmemory.h"

#include "data/memory/regions.h"
#include "events/eventsconfig.h"
#include "model/described/memorysetup.h"

static Bool is_anonymous(Addr address)
{
   return cg2_regions_find(address).kind == REGION_ANONYMOUS;
}

void cg2_freshmemory_begin(void)
{
   const Processor* processor = cg2_events_config.accesses.processor;
   if (processor && processor->clears_pages)
      cg2_memorysetup_clear_pages(is_anonymous);
}

void cg2_freshmemory_unmapped(Addr start, SizeT size)
{
   if (cg2_memorysetup.is_cleared)
      cg2_freshpages_forget(&cg2_memorysetup.fresh, start, start + size);
}

void cg2_freshmemory_moved(Addr from, Addr to, SizeT size)
{
   (void)from;
   if (cg2_memorysetup.is_cleared)
      cg2_freshpages_touch_range(&cg2_memorysetup.fresh, to, to + size);
}

static void touch(const Region* region)
{
   cg2_freshpages_touch_range(&cg2_memorysetup.fresh, region->start,
                              region->end);
}

void cg2_freshmemory_touch_all(void)
{
   if (cg2_memorysetup.is_cleared) cg2_regions_each_anonymous(touch);
}
