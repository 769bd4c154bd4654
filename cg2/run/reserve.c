#include "run/reserve.h"

#include "pub_tool_aspacemgr.h"

/* Bytes that the program may take until it stops next, which is after some
 * 100,000 blocks. */
enum { UNTIL_STOP = 32 << 20 };

/* In bytes. */
static SizeT wanted(const Reserve* reserve, UInt percent)
{
   return UNTIL_STOP + reserve->granted / 100 * percent;
}

static void unmap(Reserve* reserve)
{
   if (reserve->size) VG_(am_munmap_valgrind)(reserve->start, reserve->size);
   reserve->start = reserve->size = 0;
}

/* A quarter more than is wanted, so that it is seldom done. Where that is not
 * to be had what is held stays, and the next growth asks again. */
void cg2_reserve_grow(Reserve* reserve,
                      SizeT size,
                      UInt percent,
                      MapMemory* map)
{
   reserve->granted += size;
   SizeT least = wanted(reserve, percent);
   if (reserve->is_given || reserve->size >= least) return;
   SizeT held = VG_PGROUNDUP(least / 4 * 5);
   SysRes memory = map(held);
   if (sr_isError(memory)) return;
   unmap(reserve);
   reserve->start = sr_Res(memory);
   reserve->size = held;
}

Bool cg2_reserve_give(Reserve* reserve)
{
   if (!reserve->size) return False;
   unmap(reserve);
   reserve->is_given = True;
   return True;
}
