/* Memory that runs out on purpose: the program's malloc, calloc, realloc and
 * free, which zlib, zstd and the C library call as well. They hand on to those
 * of AddressSanitizer. */
#ifndef SCARCITY_H
#define SCARCITY_H

#include <stdbool.h>
#include <stddef.h>

/* Which allocations fail, by number from 0. */
typedef struct Scarcity {
   size_t first;
   bool is_lasting; /* those behind the first one, too */
} Scarcity;

/* From here on this thread's allocations are counted, and those of `scarcity`
 * fail. */
void scarcity_begin(Scarcity scarcity);
/* From here on there is memory. Whether any allocation has failed. */
bool scarcity_end(void);

/* How many blocks are allocated and not freed. */
size_t scarcity_blocks(void);

#endif
