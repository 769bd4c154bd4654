#include "avx512/vecrefusal.h"

#include "arch/cpuid.h"
#include "arch/guestmemory.h"
#include "avx512/vecconfig.h"
#include "avx512/vecdecode.h"
#include "pub_tool_debuginfo.h"

/* Source: the core: what --sigill-diagnostics says. No part of Valgrind's
 * interface to tools; Valgrind 3.19 to 3.27 have it. */
extern Bool VG_(clo_sigill_diag);

void cg2_vecrefusal_silence(void)
{
   VG_(clo_sigill_diag) = False;
}

void cg2_vecrefusal_start(void)
{
   cg2_vec.config.is_heard = VG_(clo_sigill_diag);
   cg2_vecrefusal_silence();
}

/* `lacks`: the processor has AVX-512, but not this of it. */
static const HChar* advice(Bool lacks)
{
   if (!cg2_vec.config.host_has)
      return "this processor has none; --avx512 helps on one that has";
   if (lacks)
      return "this processor has AVX-512, but not this part of it; --avx512 "
             "helps on one that has";
   return cg2_vec.config.mode == AVX512_NO
             ? "--avx512=auto or yes executes it, --avx512=no does not"
             : "--avx512 does not know this instruction";
}

static void tell_of_avx512(Addr address, Bool lacks)
{
   if (cg2_vec.has_told) return;
   cg2_vec.has_told = True;
   VG_(umsg)("AVX-512 instruction at %s: %s\n",
             VG_(describe_IP)(VG_(current_DiEpoch)(), address, NULL),
             advice(lacks));
}

/* What VEX would have said of another instruction. The core says the rest. */
static void tell_of_other(const UChar* bytes, UInt n)
{
   if (!cg2_vec.config.is_heard) return;
   VG_(clo_sigill_diag) = True;
   VG_(umsg)("vex amd64->IR: unhandled instruction bytes:");
   for (UInt i = 0; i < n && i < 10; i++)
      VG_(umsg)(" 0x%02X", bytes[i]);
   VG_(umsg)("\n");
}

void cg2_vecrefusal_tell(Addr address)
{
   UChar bytes[VEC_LENGTH_MAX];
   VecInstr instr;
   UInt n = cg2_guestmemory_read(bytes, address, sizeof bytes);
   Bool is_known = cg2_vecdecode_read(bytes, n, &instr);
   if (cg2_vecdecode_is_evex(bytes, n) ||
       (is_known && instr.kinds & HAS_AVX512))
      tell_of_avx512(address, is_known && instr.kinds & ~cg2_vec.config.kinds);
   else
      tell_of_other(bytes, n);
}
