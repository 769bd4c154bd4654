#include "arch/vexcpu.h"

#include "arch/guest.h"

#if !defined(CG2_X86_H) && !defined(CG2_ARM64_H)

void cg2_vexcpu_see(UWord* auxiliary, const Cpu* chosen)
{
   (void)auxiliary, (void)chosen;
}

Bool cg2_vexcpu_host(UInt hwcaps, Cpu* host)
{
   (void)hwcaps, (void)host;
   return False;
}

VexCpuid cg2_vexcpu_answer(const Cpu* cpu)
{
   (void)cpu;
   return (VexCpuid){NULL, NULL};
}

Bool cg2_vexcpu_answers(const void* function)
{
   (void)function;
   return False;
}

#endif
