/* CPUID: the instruction by which x86 processors describe themselves. */
#ifndef CG2_CPUID_H
#define CG2_CPUID_H

#include "base/vg.h"

/* The registers that an answer consists of, in this order. */
enum { CPUID_EAX, CPUID_EBX, CPUID_ECX, CPUID_EDX, CPUID_REGISTERS };

/* A CPUID instruction: writes the CPUID_REGISTERS that answer a leaf and a
 * subleaf. */
typedef void (*CpuidQuery)(UInt leaf, UInt subleaf, UInt* registers);

/* The instruction of the processor that this runs on. All registers are 0 on
 * processors without it. */
void cg2_cpuid_here(UInt leaf, UInt subleaf, UInt* registers);

/* Whether the processor that this runs on is known to have the instructions of
 * SSE4.1: cg2_cpuid_look() has found them. */
extern Bool cg2_cpuid_has_sse41;
void cg2_cpuid_look(void);

/* Kinds of instructions that work on vectors or memory and that VEX does not
 * know, a bit for each. AVX-512 is what servers have had of it since 2017: F,
 * DQ, CD, BW, VL. VAES and VPCLMUL are those for 32 bytes, VNNI and IFMA those
 * that VEX encodes; where they are encoded by EVEX, they have names of their
 * own, or need AVX-512, too. */
enum {
   HAS_AVX512 = 1 << 0,
   HAS_SHA = 1 << 1,
   HAS_GFNI = 1 << 2,
   HAS_VAES = 1 << 3,
   HAS_VPCLMUL = 1 << 4,
   HAS_VNNI = 1 << 5,
   HAS_IFMA = 1 << 6,
   HAS_MOVDIRI = 1 << 7,
   HAS_RDPID = 1 << 8,
   HAS_EVEX_VNNI = 1 << 9,
   HAS_EVEX_IFMA = 1 << 10,
   HAS_VBMI = 1 << 11,
   HAS_VBMI2 = 1 << 12,
   HAS_BITALG = 1 << 13,
   HAS_VPOPCNT = 1 << 14,
   HAS_BF16 = 1 << 15,
   HAS_INTERSECT = 1 << 16,
   HAS_FP16 = 1 << 17
};

/* The kinds that the processor that this runs on, and its kernel, have. None
 * without AVX. */
UInt cg2_cpuid_kinds(void);

#endif
