/* From addresses to objects, functions and source lines, as Valgrind's
 * debug-information reader knows them. */
#ifndef CG2_SYMBOLS_H
#define CG2_SYMBOLS_H

#include "code/jump.h"

/* Where an object's code is mapped. */
typedef struct Mapping {
   Addr start, end; /* [start, end) */
   PtrdiffT bias;   /* address - offset */
   Object* object;
} Mapping;

/* What is at an address. */
typedef struct CodePlace {
   Object* object;
   Addr offset;        /* in the object */
   Function* function; /* the symbol's; NULL: no symbol, a stub, or a part that
                          was split off a function (.cold) */
   Function* home;     /* the function that the place's unwind range begins
                          with, or the symbol's; NULL: a stub, or neither is
                          there */
   Range home_range;   /* offsets in the object that surely have that home */
   Bool is_entry;      /* the place is the first instruction of `function` */
   Bool is_stub;       /* in .plt or a relative */
} CodePlace;

/* What is at an address of the process. */
CodePlace cg2_symbols_find(Addr address);

/* The objects that are mapped; *n becomes how many. The list is right for one
 * epoch. */
const Mapping* cg2_symbols_mappings(UInt* n);

/* A number that is another whenever objects were mapped or unmapped. */
UInt cg2_symbols_epoch(void);

/* The facts of a jump between two places, whichever function runs `from`. */
Jump cg2_symbols_jump(const CodePlace* from, const CodePlace* to);

/* Whether a jump from `from`, the place of a block that starts at `address`, to
 * `target` can be more than a move inside its function: to another home, an
 * entry of another function, another object, a stub. */
Bool cg2_symbols_leaves(const CodePlace* from, Addr address, Addr target);

/* Fills block->lines, unless they are there. */
void cg2_symbols_resolve(Block* block);

/* Memory is about to be unmapped: resolves the lines of the blocks there, which
 * are known only until then. */
void cg2_symbols_unmapped(Addr start, SizeT size);

#endif
