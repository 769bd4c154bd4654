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

/* Whether the processor that this runs on, and its kernel, have the
 * instructions of AVX-512 that servers have had since 2017: F, DQ, CD, BW, VL.
 */
Bool cg2_cpuid_has_avx512(void);

#endif
