#include "arch/simd.h"

#include "arch/cpuid.h"

/* Reason for a mutable file-scope object: set once, before words are compared;
 * inline functions read it. */
Bool cg2_simd_has_min;

void cg2_simd_init(void)
{
   cg2_simd_has_min = cg2_cpuid_has_sse41();
}
