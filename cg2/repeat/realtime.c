#include "repeat/realtime.h"

#include "arch/kernelcall.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/moment.h"

ULong cg2_realtime_now(void)
{
   enum { CLOCK_MONOTONIC = 1 };
   struct vki_timespec now;
   VG_(clock_gettime)(&now, CLOCK_MONOTONIC);
   return now.tv_sec * (ULong)MOMENT_SECOND + now.tv_nsec;
}

void cg2_realtime_nap(UInt n)
{
   const struct vki_timespec little = {0, n * 500000};
   cg2_kernelcall_make(__NR_nanosleep, (UWord)&little, 0, 0, 0);
}
