/* Blocks of memory that a program has been given, in layers: what lies in an
 * address is what the highest layer has there.
 *
 * Versions: who remembers what lies in a stretch of memory also remembers the
 * address of the stretch's version, a number, and its value. As long as the
 * number is the same, so is what lies there. Versions are shared by stretches,
 * and a change of one may look like a change of another. Blocks that come and
 * go elsewhere leave them alone. */
#ifndef CG2_HEAPBLOCKS_H
#define CG2_HEAPBLOCKS_H

#include "data/heap/allocations.h"

typedef enum HeapLayer {
   LAYER_MAP,   /* mapped from the kernel */
   LAYER_BLOCK, /* given out by the program's allocators */
   LAYER_CHUNK, /* given out by pools, which may have it from anywhere */
   LAYER_INNER, /* chunks in other chunks */
   N_LAYERS
} HeapLayer;

/* A stretch of memory: addresses [start, end). */
typedef struct HeapStretch {
   Addr start, end;
   Addr origin; /* where the block begins that the stretch is of */
   UInt owner;  /* of the block; 0: the stretch is of no block */
   const UInt* version;
} HeapStretch;

/* Notes that a block was given out. What has some of these bytes in the same
 * layer and in higher ones is gone; of a map, what it keeps stays. */
void cg2_heapblocks_add(HeapLayer layer, Addr start, SizeT size, UInt owner);

/* Notes that a chunk was given out: in a layer above those chunks that it is a
 * part of. */
void cg2_heapblocks_add_chunk(Addr start, SizeT size, UInt owner);

/* Notes that a chunk was given out whose size is not known: it ends where the
 * next chunk begins, or the block or map that it lies in ends, or else its page
 * of 4 KiB. A chunk before it that would reach into it ends there. */
void cg2_heapblocks_add_open_chunk(Addr start, UInt owner);

/* Removes a block of LAYER_BLOCK and all chunks in it, and returns it; size 0:
 * there was none. */
Allocation cg2_heapblocks_remove(Addr start);
/* Removes the innermost chunk that begins at `start`, and returns it. */
Allocation cg2_heapblocks_remove_chunk(Addr start);

/* Notes that nothing is mapped in a stretch any more. Blocks that have bytes
 * there are gone as a whole. */
void cg2_heapblocks_unmap(Addr start, SizeT size);

/* What lies in an address: a block or chunk, or nothing. A stretch is never
 * larger than what it is of, and may be smaller. */
HeapStretch cg2_heapblocks_find(Addr address);

/* The map that an address lies in where there is no block or chunk. */
HeapStretch cg2_heapblocks_find_map(Addr address);

/* The innermost chunk that begins at `start`; size 0: there is none. */
Allocation cg2_heapblocks_chunk_at(Addr start);

#endif
