/* Debug information that is packed (-gz), unpacked into a file without a name:
 * libdw unpacks whole sections into memory, where pages of a file leave it once
 * they were read. */
#ifndef CG2D_UNPACKED_H
#define CG2D_UNPACKED_H

#include <stdbool.h>

/* A copy of an ELF file whose packed sections of debug information, by zlib or
 * zstd, are unpacked; all else of it is at the same place. The caller closes
 * it. -1: nothing in it is packed, what is packed is broken, or there is no
 * room for a file in TMPDIR or /tmp; libdw does what it can then. `fd` stays
 * open. */
int cg2d_unpacked_copy(int fd, bool has_places);

#endif
