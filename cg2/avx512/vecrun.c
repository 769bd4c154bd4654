#include "avx512/vecrun.h"

#include "arch/cpuid.h"
#include "arch/guestmemory.h"

/* Whether both addresses have the same upper half. */
static Bool are_near(Addr a, Addr b)
{
   return (ULong)(a ^ b) >> 32 == 0;
}

/* The program's code may end in the middle of an instruction. */
void cg2_vecrun_read(VecRun* run, Addr start, UInt kinds)
{
   UInt there = cg2_guestmemory_read(run->bytes, start, sizeof run->bytes);
   UInt at = 0;
   run->start = start;
   for (run->n = 0; run->n < VECRUN_MAX; run->n++) {
      VecInstr* instr = &run->instrs[run->n];
      run->at[run->n] = at;
      if (!cg2_vecdecode_read(run->bytes + at, there - at, instr) ||
          (instr->kinds & ~kinds) != 0)
         return;
      at += instr->length;
      if (!are_near(start, start + at)) return;
   }
   run->at[run->n] = at;
}

Bool cg2_vecrun_has_avx512(const VecRun* run)
{
   for (UInt i = 0; i < run->n; i++)
      if (run->instrs[i].kinds & HAS_AVX512) return True;
   return False;
}
