/* Owner: the data object that an address belongs to.
 *
 * An address is looked for on the stack of the thread that runs, then among
 * blocks of the heap, static objects, stacks of other threads, and what else
 * is mapped. */
#ifndef CG2_OWNER_H
#define CG2_OWNER_H

#include "data/memory/dataobject.h"

/* Changes whenever memory that is not of a stack may have got another owner;
 * never 0. */
extern UInt cg2_owner_generation;

/* The piece that an address is in. There always is one. *version becomes the
 * address of a number that changes when blocks of the heap come or go in the
 * piece. */
DataPiece cg2_owner_find(Addr address, const UInt** version);

/* Memory may have got another owner, as a thread begins. */
void cg2_owner_change(void);
/* Memory is about to be unmapped. */
void cg2_owner_unmapped(Addr start, SizeT size);

#endif
