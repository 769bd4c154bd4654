/* The first stack: what the kernel leaves on the stack for the program, and
 * Valgrind in its place.
 *
 * From the stack pointer upwards: the number of arguments, these, NULL, the
 * environment, NULL, and the auxiliary vector, which says among other things
 * what the processor has. Where all of this lies, and so how often loops in
 * libraries run, depends on its size. */
#ifndef CG2_FIRSTSTACK_H
#define CG2_FIRSTSTACK_H

#include "base/vg.h"

/* The program is about to begin with the stack pointer `sp`: lets the auxiliary
 * vector tell of the processor that is chosen, the header of the profile of the
 * environment, and data/ know where the stack and the program's ELF object lie.
 */
void cg2_firststack_begin(Addr sp);

#endif
