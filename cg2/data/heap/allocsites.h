/* Places that allocate: the line of code outside all allocators where memory
 * was asked for, or, if the user wants it so, with the lines of its callers.
 * Each place is a data object. */
#ifndef CG2_ALLOCSITES_H
#define CG2_ALLOCSITES_H

#include "data/memory/dataobject.h"
#include "engine/thread.h"

enum { ALLOCSITES_CALLERS_MAX = 64 };

/* Where the running thread asks for memory: in the function of frame number
 * `depth`, by `exit`, which is NULL if it is not known. The place is there, or,
 * if the function hands memory on, in its callers. Frames are those of the code
 * that runs. */
DataObject* cg2_allocsites_find(const Exit* exit, UInt depth);

/* Where the running thread has just asked the kernel for memory. */
DataObject* cg2_allocsites_find_map(void);

/* Where the function of the top frame was called; if that is not known, the
 * function. */
DataObject* cg2_allocsites_find_caller(void);

/* Counts a block that a place has allocated, unless nothing is collected. */
void cg2_allocsites_count(DataObject* place, SizeT size);

#endif
