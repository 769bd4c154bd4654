#include "avx512/vecrun.h"

#include "arch/guestmemory.h"

/* Whether both addresses have the same upper half. */
static Bool are_near(Addr a, Addr b)
{
   return (ULong)(a ^ b) >> 32 == 0;
}

/* The program's code may end in the middle of an instruction. */
void cg2_vecrun_read(VecRun* run, Addr start)
{
   UInt there = cg2_guestmemory_read(run->bytes, start, sizeof run->bytes);
   run->start = start;
   run->n = run->length = 0;
   while (run->n < VECRUN_MAX) {
      VecInstr* instr = &run->instrs[run->n];
      if (!cg2_vecdecode_read(run->bytes + run->length, there - run->length,
                              instr))
         return;
      if (!are_near(start, start + run->length + instr->length)) return;
      run->length += instr->length;
      run->n++;
   }
}
