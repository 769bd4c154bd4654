#include "arch/cpuid.h"

#if defined(__x86_64__) || defined(__i386__)

void cg2_cpuid_here(UInt leaf, UInt subleaf, UInt* registers)
{
   __asm__ volatile("cpuid"
                    : "=a"(registers[CPUID_EAX]), "=b"(registers[CPUID_EBX]),
                      "=c"(registers[CPUID_ECX]), "=d"(registers[CPUID_EDX])
                    : "a"(leaf), "c"(subleaf));
}

#else

void cg2_cpuid_here(UInt leaf, UInt subleaf, UInt* registers)
{
   (void)leaf, (void)subleaf;
   VG_(memset)(registers, 0, CPUID_REGISTERS * sizeof *registers);
}

#endif

/* Reason for a mutable file-scope object: a fact of the host; inline functions
 * read it. */
Bool cg2_cpuid_has_sse41;

/* Source: Intel's manual, volume 2, CPUID: bit 19 of ecx of leaf 1. */
void cg2_cpuid_look(void)
{
   enum { FEATURES = 1, SSE41_BIT = 19 };
   UInt registers[CPUID_REGISTERS];
   cg2_cpuid_here(FEATURES, 0, registers);
   cg2_cpuid_has_sse41 = registers[CPUID_ECX] >> SSE41_BIT & 1;
}
