/* What the processor that this runs on has beyond the classes of cpu.h: of x86,
 * as leaf 7 of CPUID says it, and of that only what cg2 executes where VEX does
 * not. */
#ifndef CG2_CPUNATIVE_H
#define CG2_CPUNATIVE_H

#include "base/vg.h"

/* Adds the bits to the CPUID_REGISTERS that answer leaf 7 and `subleaf`: with
 * what needs AVX-512, or without. */
void cg2_cpunative_add(UInt subleaf, Bool has_avx512, UInt* registers);

/* Appends the names, as Linux calls them, to `text`, which has room for
 * CPU_TEXT. */
void cg2_cpunative_describe(Bool has_avx512, HChar* text);

#endif
