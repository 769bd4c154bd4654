/* Places: the machine code that was made for instructions at an address.
 *
 * Blocks are translated again and again, and the code of a place stays: it is
 * made once, unless the program's code there has changed. */
#ifndef CG2_VECPLACES_H
#define CG2_VECPLACES_H

#include "base/vg.h"

/* The code that was made for the `n` bytes of the program at `address`, which
 * are now as in `bytes`. NULL: there is none. */
void* cg2_vecplaces_find(Addr address, const UChar* bytes, UInt n);

/* Keeps a copy of `size` bytes of machine code for these bytes of the program,
 * where it can be run. NULL: Valgrind's memory holds no code. */
void* cg2_vecplaces_keep(
   Addr address, const UChar* bytes, UInt n, const UChar* code, UInt size);

#endif
