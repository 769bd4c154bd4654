/* Sharing: which places of data objects threads take each other's cache lines
 * for.
 *
 * With private caches a write takes its line from the other threads. When one
 * of them misses the line, the two places are a pair. */
#ifndef CG2_SHARING_H
#define CG2_SHARING_H

#include "base/vg.h"

/* The running thread has made an access that took a line from other threads
 * (`takes`), or missed one that another thread had taken (`misses`). `counts`:
 * what it misses is collected. */
void cg2_sharing_note(
   Addr address, UInt size, Bool takes, Bool misses, Bool counts);

#endif
