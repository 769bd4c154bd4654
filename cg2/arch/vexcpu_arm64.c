#include "arch/vexcpu.h"

#include "arch/guest.h"

#if defined(CG2_ARM64_H)

/* Reason for a mutable file-scope object: what the auxiliary vector said when
 * the program began. */
static Cpu seen;

/* Source: Linux, uapi/linux/auxvec.h: AT_HWCAP and AT_HWCAP2. */
static const UWord types[CPU_CAPABILITIES] = {16, 26};

void cg2_vexcpu_see(UWord* auxiliary, const Cpu* chosen)
{
   enum { AT_END = 0 };
   seen = (Cpu){.capabilities = {0}};
   for (; auxiliary[0] != AT_END; auxiliary += 2)
      for (UInt word = 0; word < CPU_CAPABILITIES; word++) {
         if (auxiliary[0] != types[word]) continue;
         seen.capabilities[word] = auxiliary[1];
         if (chosen) auxiliary[1] = chosen->capabilities[word];
      }
}

Bool cg2_vexcpu_host(UInt hwcaps, Cpu* host)
{
   (void)hwcaps;
   *host = seen;
   return seen.capabilities[0] != 0;
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
