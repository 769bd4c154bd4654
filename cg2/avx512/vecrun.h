/* Runs: instructions that VEX does not know, one behind the other. */
#ifndef CG2_VECRUN_H
#define CG2_VECRUN_H

#include "avx512/vecdecode.h"

enum { VECRUN_MAX = 24, VECRUN_BYTES = VECRUN_MAX * VEC_LENGTH_MAX };

typedef struct VecRun {
   Addr start;
   UInt n;                    /* instructions */
   UShort at[VECRUN_MAX + 1]; /* where each begins in `bytes`, and the end */
   VecInstr instrs[VECRUN_MAX];
   UChar bytes[VECRUN_BYTES + VEC_LENGTH_MAX]; /* of all; what is behind
                                                  them does not count */
} VecRun;

/* Reads the run at an address of the program: instructions of these kinds
 * (cpuid.h). The first may be none, so that n becomes 0. */
void cg2_vecrun_read(VecRun* run, Addr start, UInt kinds);

/* Whether one of them is of AVX-512. */
Bool cg2_vecrun_has_avx512(const VecRun* run);

#endif
