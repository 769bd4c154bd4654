/* Maps: memory that the program has from the kernel by mmap, not of a file.
 * A map belongs to the line that asked for it; one that an allocator asks for
 * belongs to the line that called the allocator. */
#ifndef CG2_MAPS_H
#define CG2_MAPS_H

#include "base/vg.h"

/* Whether a system call of this number maps or unmaps memory. */
Bool cg2_maps_are_changed_by(UInt number);

/* The running thread has made such a system call, which succeeded with
 * `result`. */
void cg2_maps_note(UInt number, const UWord* args, UWord result);

#endif
