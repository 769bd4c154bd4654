/* The program's memory, where the tool cannot know whether it is there: what a
 * program points to may end in the middle, and a file that is mapped may have
 * become shorter than its map. Outside generated code only: there Valgrind lets
 * nobody catch a fault. */
#ifndef CG2_GUESTMEMORY_H
#define CG2_GUESTMEMORY_H

#include "base/vg.h"

/* Copies `n` bytes from `from` to `to`, as many as can be read. Returns how
 * many these are. */
SizeT cg2_guestmemory_read(void* to, Addr from, SizeT n);

/* Copies `n` bytes to `to`. False if the program cannot write all of them
 * there: then none is written, but where a file is shorter than its map. */
Bool cg2_guestmemory_write(Addr to, const void* from, SizeT n);

/* A copy of the text at `address`, up to its end, to what cannot be read, or to
 * `most` bytes. NULL if its first byte cannot be read. The caller frees it. */
HChar* cg2_guestmemory_text(Addr address, SizeT most);

#endif
