/* Holders of blocks: the object that a block belongs to, and the pool that the
 * program said it is from. A block knows its holder by number. */
#ifndef CG2_HOLDERS_H
#define CG2_HOLDERS_H

#include "base/table.h"
#include "data/memory/dataobject.h"

typedef struct Holder {
   TableNode node;     /* key: object and pool */
   DataObject* object; /* NULL: memory of a file */
   UInt pool;          /* the number of a pool; 0: none */
   UInt number;        /* 1, 2, ... in order of first use */
} Holder;

/* The number of this holder, from 1. Made on first use. */
UInt cg2_holders_number(DataObject* object, UInt pool);

/* The holder with this number. */
const Holder* cg2_holders_get(UInt number);

#endif
