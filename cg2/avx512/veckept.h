/* XGETBV: which registers are kept when threads take turns, as a program asks
 * that was told of AVX-512. */
#ifndef CG2_VECKEPT_H
#define CG2_VECKEPT_H

#include "arch/guest.h"
#include "libvex.h"

/* Has a block answer that those of AVX-512 are kept, too. */
void cg2_veckept_rewrite(IRSB* block);

#endif
