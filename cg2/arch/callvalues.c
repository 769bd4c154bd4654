#include "arch/callvalues.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_guest.h"
#include "pub_tool_machine.h"

/* The word at `offset` in the guest state of a thread. */
static UWord word_at(UInt tid, SizeT offset)
{
   UWord word;
   VG_(get_shadow_regs_area)(tid, (UChar*)&word, 0, offset, sizeof word);
   return word;
}

#define REGISTER(name) offsetof(VexGuestArchState, guest_##name)

#if defined(__i386__)

enum { RESULT = REGISTER(EAX) };

/* Arguments lie above the return address. */
UWord cg2_callvalues_argument(UInt tid, UInt i)
{
   return ((const UWord*)VG_(get_SP)(tid))[1 + i];
}

#else

#if defined(__x86_64__)
static const SizeT arguments[CALLVALUES_ARGUMENTS] = {
   REGISTER(RDI), REGISTER(RSI), REGISTER(RDX),
   REGISTER(RCX), REGISTER(R8),  REGISTER(R9)};
enum { RESULT = REGISTER(RAX) };
#elif defined(__aarch64__)
static const SizeT arguments[CALLVALUES_ARGUMENTS] = {
   REGISTER(X0), REGISTER(X1), REGISTER(X2),
   REGISTER(X3), REGISTER(X4), REGISTER(X5)};
enum { RESULT = REGISTER(X0) };
#endif

UWord cg2_callvalues_argument(UInt tid, UInt i)
{
   tl_assert(i < CALLVALUES_ARGUMENTS);
   return word_at(tid, arguments[i]);
}

#endif

Addr cg2_callvalues_sp(UInt tid)
{
   return VG_(get_SP)(tid);
}

UWord cg2_callvalues_result(UInt tid)
{
   return word_at(tid, RESULT);
}

UWord cg2_callvalues_word(Addr address)
{
   if (!VG_(am_is_valid_for_client)(address, sizeof(UWord), VKI_PROT_READ))
      return 0;
   return *(const UWord*)address;
}
