/* Maps: memory that the program has from the kernel by mmap, not of a file.
 * A map belongs to the line that called mmap, be it an allocator's: what an
 * allocator has in the memory that it has not given out is its own. */
#ifndef CG2_MAPS_H
#define CG2_MAPS_H

#include "base/vg.h"

/* Whether a system call of this number maps or unmaps memory. */
Bool cg2_maps_are_changed_by(UInt number);

/* The running thread has made such a system call, which succeeded with
 * `result`. */
void cg2_maps_note(UInt number, const UWord* args, UWord result);

#endif
