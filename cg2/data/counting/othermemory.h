/* Other memory: the objects of memory that is neither allocated, static nor in
 * a frame: mapped files, what the kernel leaves on the first stack, the memory
 * that grows (brk), other parts of stacks, anonymous memory. */
#ifndef CG2_OTHERMEMORY_H
#define CG2_OTHERMEMORY_H

#include "data/memory/dataobject.h"

/* The program is about to begin with the stack pointer `sp`: its arguments and
 * environment lie there. */
void cg2_othermemory_begin(Addr sp);

/* The program has asked where its memory ends that grows (brk), and was told
 * `end`: the first time, that is where it begins. */
void cg2_othermemory_note_brk(Addr end);
/* Memory is about to be unmapped. */
void cg2_othermemory_unmapped(void);

/* Whether an address lies in that memory, as far as it went when
 * cg2_othermemory_find came to it last. Fills in *piece. */
Bool cg2_othermemory_find_brk(Addr address, DataPiece* piece);

/* The object of what nobody knows. */
DataObject* cg2_othermemory_unknown(void);

/* Fills in *piece. The offset in a file is the place in it. Always True: there
 * is an object for what is not known, too. The piece is right until memory is
 * mapped or unmapped; it is a single byte where memory may come to be
 * allocated, or part of a stack, at any time. */
Bool cg2_othermemory_find(Addr address, DataPiece* piece);

#endif
