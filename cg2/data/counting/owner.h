/* Owner: the data object that an address belongs to.
 *
 * An address is looked for on the stack of the thread that runs, then among
 * blocks of the heap, static objects, stacks of other threads, and what else
 * is mapped. */
#ifndef CG2_OWNER_H
#define CG2_OWNER_H

#include "data/memory/dataobject.h"

/* A large piece that was found. It is right while *version and the generation
 * are the same. It may stay after that: when a thread switches to another stack
 * by itself, nobody tells. Then other threads still take that stack for what it
 * was before. */
typedef struct OwnerPiece {
   DataPiece piece;
   const UInt* version;
   UInt version_then, generation;
} OwnerPiece;

enum { OWNER_PAGE_BITS = 12, OWNER_PAGES = 1024 };

/* What is known of owners. */
typedef struct Owners {
   OwnerPiece pieces[OWNER_PAGES]; /* by page of an address in them */
   UInt generation; /* changes whenever memory that is not of a stack may have
                       got another owner; never 0 */
   /* Whose thread pointer was looked for last, and when. */
   struct {
      UInt tid; /* 0: nobody's */
      UInt generation;
   } pointer;
} Owners;
extern Owners cg2_owners;

/* The piece that an address is in. There always is one. *version becomes the
 * address of a number that changes when blocks of the heap come or go in the
 * piece. */
DataPiece cg2_owner_find(Addr address, const UInt** version);

/* Memory may have got another owner, as a thread begins. */
void cg2_owner_change(void);
/* Memory is about to be unmapped. */
void cg2_owner_unmapped(Addr start, SizeT size);

#endif
