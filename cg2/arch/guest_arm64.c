#include "arch/guest.h"

#if defined(CG2_ARM64_H)

/* Not decoded yet: a branch of which VEX knows what it will do is not counted
 * as a branch. */
Bool cg2_guest_is_conditional(const UChar* code, UInt length, Int* distance)
{
   (void)code, (void)length, (void)distance;
   return False;
}

UInt cg2_guest_call_length(const UChar* behind)
{
   (void)behind;
   return GUEST_CALL_MAX;
}

Bool cg2_guest_is_stub_section(const HChar* name)
{
   return VG_(strcmp)(name, ".plt") == 0 || VG_(strcmp)(name, ".iplt") == 0;
}

#endif
