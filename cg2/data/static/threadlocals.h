/* Thread-locals: which thread-local variable an address is.
 *
 * Each ELF object with such variables is a *module*, which has a copy of them,
 * a block, in each thread. The program's own module, and those of libraries
 * that are there when it begins, lie at a fixed distance from the thread
 * pointer. Those of others are allocated when a thread first needs them, and a
 * vector in each thread says where. Of these only the running thread's are
 * known here.
 *
 * Source: ELF Handling For Thread-Local Storage, Ulrich Drepper, chapter 3;
 * glibc's dl-tls.c and tls.h for the vector's entries, two words each, and for
 * the block of the C library's own that begins at the thread pointer. Modules
 * of other C libraries that are allocated later are not found. */
#ifndef CG2_THREADLOCALS_H
#define CG2_THREADLOCALS_H

#include "data/memory/dataobject.h"

/* The program is about to begin, whose ELF object has its headers there. */
void cg2_threadlocals_begin(Addr headers);

/* Fills in *piece and returns True if the address is of a thread-local variable
 * of any thread, or in the block at its thread pointer. */
Bool cg2_threadlocals_find(Addr address, DataPiece* piece);

/* Whether the running thread has a thread pointer. If *is_new, nobody knew it:
 * addresses near it have become thread-local variables. */
Bool cg2_threadlocals_notice(Bool* is_new);

/* Whether a known thread pointer is in [start, end). */
Bool cg2_threadlocals_are_in(Addr start, Addr end);

/* The same, or blocks that are allocated when a thread needs them may be. */
Bool cg2_threadlocals_may_be_in(Addr start, Addr end);

/* Memory is about to be unmapped: threads are over whose variables are there.
 */
void cg2_threadlocals_unmapped(Addr start, SizeT size);

#endif
