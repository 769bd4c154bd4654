/* MXCSR: which exceptions of floating point are raised, which are masked, and
 * what becomes of denormals.
 *
 * VEX keeps its rounding alone. What a program loads of the rest is kept for
 * the instructions that VEX does not know. STMXCSR shows it, and what they
 * raised, from the first of them on. */
#ifndef CG2_VECMXCSR_H
#define CG2_VECMXCSR_H

#include "arch/guest.h"
#include "libvex.h"

/* Has a block keep what the program loads, and, if `shows`, show it. */
void cg2_vecmxcsr_rewrite(IRSB* block, Bool shows);

#endif
