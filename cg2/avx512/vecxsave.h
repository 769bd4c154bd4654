/* XSAVE and XRSTOR: what they keep of AVX-512.
 *
 * VEX keeps the parts of the state that it knows: x87, SSE and AVX. Behind that
 * stand calls for masks, upper halves and vectors 16 to 31, for a program that
 * is told of AVX-512, at the places that CPUID tells it. */
#ifndef CG2_VECXSAVE_H
#define CG2_VECXSAVE_H

#include "arch/guest.h"
#include "libvex.h"

void cg2_vecxsave_rewrite(IRSB* block);

#endif
