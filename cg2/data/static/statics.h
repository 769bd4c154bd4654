/* Statics: which static object, thread-local variable, or section of an ELF
 * object an address lies in. */
#ifndef CG2_STATICS_H
#define CG2_STATICS_H

#include "data/memory/dataobject.h"

/* Fills in *piece and returns True if the address lies in an ELF object that is
 * mapped, or is of a thread. The piece is right until memory is mapped or
 * unmapped there. */
Bool cg2_statics_find(Addr address, DataPiece* piece);

/* Memory is about to be unmapped: its pieces are forgotten. */
void cg2_statics_unmapped(Addr start, SizeT size);

#endif
