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
   UInt kind;
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

/* Kinds that need AVX-512, too. */
static const CpuidBit evex_bits[] = {
   {HAS_EVEX_IFMA, 0, CPUID_EBX, 21}, {HAS_VBMI, 0, CPUID_ECX, 1},
   {HAS_VBMI2, 0, CPUID_ECX, 6},      {HAS_EVEX_VNNI, 0, CPUID_ECX, 11},
   {HAS_BITALG, 0, CPUID_ECX, 12},    {HAS_VPOPCNT, 0, CPUID_ECX, 14},
   {HAS_INTERSECT, 0, CPUID_EDX, 8},  {HAS_FP16, 0, CPUID_EDX, 23},
   {HAS_BF16, 1, CPUID_EAX, 5},
};

/* The kinds that two subleaves say to be there, of `n`. */
static UInt
kinds_of(const CpuidBit* bit, UInt n, const UInt (*answers)[CPUID_REGISTERS])
{
   UInt kinds = 0;
   for (const CpuidBit* end = bit + n; bit < end; bit++)
      if (answers[bit->subleaf][bit->which] >> bit->bit & 1) kinds |= bit->kind;
   return kinds;
}

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
   UInt answers[SUBLEAVES][CPUID_REGISTERS];
   cg2_cpuid_here(0, 0, answers[0]);
   if (answers[0][CPUID_EAX] < MORE_FEATURES || !has_avx()) return 0;
   for (UInt i = 0; i < SUBLEAVES; i++)
      cg2_cpuid_here(MORE_FEATURES, i, answers[i]);
   UInt kinds = kinds_of(bits, sizeof bits / sizeof *bits, answers);
   if (!has_avx512(answers[0])) return kinds;
   return HAS_AVX512 | kinds |
          kinds_of(evex_bits, sizeof evex_bits / sizeof *evex_bits, answers);
}

#else

UInt cg2_cpuid_kinds(void)
{
   return 0;
}

#endif
