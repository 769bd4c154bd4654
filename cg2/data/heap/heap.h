/* The heap: which block an address lies in, and where it was allocated.
 *
 * A caller that looks up many addresses keeps the piece found, with the address
 * of its version and the value: as long as *version is the same, the piece is
 * right. Blocks that are made or freed elsewhere leave it alone.
 *
 *    DataPiece piece;
 *    const UInt* version;
 *    Bool is_heap = cg2_heap_find(address, &piece, &version);
 *
 * The order in which one asks matters: what lies on the stack is asked for
 * first, then blocks and chunks, then static objects (the dynamic linker maps
 * those), and maps last.
 *
 * Maps are memory that the program has from the kernel by mmap, not of a file.
 * A map belongs to the line that called mmap, be it an allocator's: what an
 * allocator has in the memory that it has not given out is its own. */
#ifndef CG2_HEAP_H
#define CG2_HEAP_H

#include "data/memory/dataobject.h"

/* Has all that gives out memory watched. Called once, before the first
 * translation, and before cg2_allocators_start. */
void cg2_heap_start(void);

/* The block or chunk that an address lies in: True, and the piece of it around
 * the address that belongs to no chunk in it. Else False, and a piece around
 * the address, without an object, that no block or chunk has a byte of.
 * *version becomes the address of the piece's version. */
Bool cg2_heap_find(Addr address, DataPiece* piece, const UInt** version);

/* The anonymous map that an address lies in for which cg2_heap_find has found
 * nothing: True, and the piece of the map, without blocks. Else False, with the
 * piece that cg2_heap_find gave. *version is as there. */
Bool cg2_heap_find_map(Addr address, DataPiece* piece, const UInt** version);

/*--- What others see ----------------------------------------------------*/

/* Whether a system call of this number is to be told of: it maps or unmaps
 * memory. */
Bool cg2_heap_wants(UInt number);

/* The running thread has made such a system call, which succeeded with
 * `result`. */
void cg2_heap_note_syscall(UInt number, const UWord* args, UWord result);

/* The program makes a client request: those that announce blocks and pools to
 * memory checkers are taken, all others are nothing. */
void cg2_heap_note_request(const UWord* args);

/* The process is the child of a fork, which only `tid` runs in. Blocks are
 * those of the parent. */
void cg2_heap_forked(UInt tid);

#endif
