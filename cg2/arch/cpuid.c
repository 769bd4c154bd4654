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

#if defined(__x86_64__)

/* The parts of a thread's state that the kernel keeps. Source: Intel's manual,
 * volume 2: XGETBV. */
static UInt kept_state(void)
{
   UInt low, high;
   __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
   return low;
}

/* Source: the same, CPUID: OSXSAVE is bit 27 of ecx of leaf 1; ebx of leaf 7
 * has the instructions. State 1 and 2 are vectors of AVX; 5 to 7 masks and what
 * AVX-512 adds to vectors. */
Bool cg2_cpuid_has_avx512(void)
{
   enum { FEATURES = 1, MORE_FEATURES = 7, OSXSAVE = 27, STATE = 0xe6 };
   const UInt wanted = 1U << 16 | 1U << 17 | 1U << 28 | 1U << 30 | 1U << 31;
   UInt registers[CPUID_REGISTERS];
   cg2_cpuid_here(0, 0, registers);
   if (registers[CPUID_EAX] < MORE_FEATURES) return False;
   cg2_cpuid_here(FEATURES, 0, registers);
   if (!(registers[CPUID_ECX] >> OSXSAVE & 1)) return False;
   cg2_cpuid_here(MORE_FEATURES, 0, registers);
   return (registers[CPUID_EBX] & wanted) == wanted &&
          (kept_state() & STATE) == STATE;
}

#else

Bool cg2_cpuid_has_avx512(void)
{
   return False;
}

#endif
