/* Instructions that nobody executes: what is said of them.
 *
 * VEX prints some lines about each instruction that it does not know while it
 * translates the block, whether the instruction is then executed or not; and
 * the core some more when the program gets SIGILL. Both look at one switch,
 * --sigill-diagnostics. */
#ifndef CG2_VECREFUSAL_H
#define CG2_VECREFUSAL_H

#include "base/vg.h"

/* Before the first block. */
void cg2_vecrefusal_start(void);

/* Nothing is printed of what VEX does not know, until something is told. */
void cg2_vecrefusal_silence(void);

/* Says what VEX does not know at an address, once for AVX-512. The program is
 * about to get SIGILL. */
void cg2_vecrefusal_tell(Addr address);

#endif
