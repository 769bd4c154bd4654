/* Blocks that the program itself announces, by the client requests of
 * valgrind.h that are for memory checkers: those of custom allocators
 * (VALGRIND_MALLOCLIKE_BLOCK, ...) and of pools (VALGRIND_MEMPOOL_ALLOC, ...).
 * A block belongs to the line that called the function which makes the
 * request. */
#ifndef CG2_ANNOUNCED_H
#define CG2_ANNOUNCED_H

#include "base/vg.h"

/* Takes the request args[0] with its arguments, if it is one of these. */
void cg2_announced_note(const UWord* args);

#endif
