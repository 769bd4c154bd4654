#include "arch/cpu.h"

#include "arch/guest.h"

#if !defined(CG2_X86_H) && !defined(CG2_ARM64_H)

/* Nothing can be chosen, and nothing is known. */

const HChar* cg2_cpu_names(void)
{
   return "";
}

Bool cg2_cpu_named(const HChar* name, Cpu* cpu)
{
   (void)name, (void)cpu;
   return False;
}

Bool cg2_cpu_covers(const Cpu* host, const Cpu* cpu)
{
   (void)host, (void)cpu;
   return True;
}

Bool cg2_cpu_lacks(const Cpu* cpu, const UChar* code, UInt length)
{
   (void)cpu, (void)code, (void)length;
   return False;
}

void cg2_cpu_describe(const Cpu* cpu, HChar* text)
{
   (void)cpu;
   text[0] = '\0';
}

#endif
