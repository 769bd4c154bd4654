#include "arch/gueststate.h"

#include "pub_tool_aspacemgr.h"

VG_REGPARM(3)
void cg2_gueststate_check(UWord offset, UWord word, void* passed)
{
   const HChar* at = (const HChar*)cg2_gueststate(passed) + offset;
   const NSegment* segment = VG_(am_find_nsegment)((Addr)at);
   if (segment && segment->hasR && *(const UWord*)at == word) return;
   VG_(umsg)("the code that this Valgrind generates has its state elsewhere "
             "than cg2 expects: cg2 does not fit this Valgrind\n");
   VG_(exit)(1);
}
