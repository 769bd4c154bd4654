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

/* A kind, and the bit of an answer of CPUID that says it. */
typedef struct CpuidBit {
   UShort kind;
   UChar subleaf; /* of leaf 7 */
   UChar which;   /* CPUID_EBX and the like */
   UChar bit;
} CpuidBit;

/* Source: the same, CPUID, leaf 7. */
static const CpuidBit bits[] = {
   {HAS_SHA, 0, CPUID_EBX, 29},   {HAS_GFNI, 0, CPUID_ECX, 8},
   {HAS_VAES, 0, CPUID_ECX, 9},   {HAS_VPCLMUL, 0, CPUID_ECX, 10},
   {HAS_RDPID, 0, CPUID_ECX, 22}, {HAS_MOVDIRI, 0, CPUID_ECX, 27},
   {HAS_VNNI, 1, CPUID_EAX, 4},   {HAS_IFMA, 1, CPUID_EAX, 23},
};

/* Source: the same: ebx has AVX-512's instructions. State 5 to 7 are masks and
 * what AVX-512 adds to vectors. */
static Bool has_avx512(const UInt* registers)
{
   enum { STATE = 0xe6 };
   const UInt wanted = 1U << 16 | 1U << 17 | 1U << 28 | 1U << 30 | 1U << 31;
   return (registers[CPUID_EBX] & wanted) == wanted &&
          (kept_state() & STATE) == STATE;
}

/* Source: the same: OSXSAVE is bit 27 of ecx of leaf 1, AVX bit 28. State 1 and
 * 2 are its vectors. */
static Bool has_avx(void)
{
   enum { FEATURES = 1, WANTED = 3 << 27, STATE = 6 };
   UInt registers[CPUID_REGISTERS];
   cg2_cpuid_here(FEATURES, 0, registers);
   return (registers[CPUID_ECX] & WANTED) == WANTED &&
          (kept_state() & STATE) == STATE;
}

UInt cg2_cpuid_kinds(void)
{
   enum { MORE_FEATURES = 7, SUBLEAVES = 2 };
   UInt answers[SUBLEAVES][CPUID_REGISTERS], kinds = 0;
   cg2_cpuid_here(0, 0, answers[0]);
   if (answers[0][CPUID_EAX] < MORE_FEATURES || !has_avx()) return 0;
   for (UInt i = 0; i < SUBLEAVES; i++)
      cg2_cpuid_here(MORE_FEATURES, i, answers[i]);
   for (UInt i = 0; i < sizeof bits / sizeof *bits; i++)
      if (answers[bits[i].subleaf][bits[i].which] >> bits[i].bit & 1)
         kinds |= bits[i].kind;
   return has_avx512(answers[0]) ? kinds | HAS_AVX512 : kinds;
}

#else

UInt cg2_cpuid_kinds(void)
{
   return 0;
}

#endif
