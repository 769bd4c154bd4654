/* Positions of a profile, and the columns that they are written in.
 *
 * A position is a source file and some numbers, its *subpositions*. Each has a
 * column, which an option of run/options.c switches on or off. A new
 * subposition is a value of Subposition, a row of cg2_position_columns, and a
 * line each in cg2_position_of_instr and cg2_position_of_entry. */
#ifndef CG2_POSITION_H
#define CG2_POSITION_H

#include "code/block.h"

/* The subpositions, in the order in which they are written. */
typedef enum Subposition {
   POSITION_INSTR, /* an instruction's offset in its object */
   POSITION_BLOCK, /* the offset of the first instruction of its block */
   POSITION_LINE,  /* a line of the position's file; 0: not known */
   N_SUBPOSITIONS
} Subposition;

/* The subpositions from here on mean something in their file only. */
enum { FIRST_POSITION_IN_FILE = POSITION_LINE };

typedef struct PositionColumn {
   const HChar* name; /* in the header's "positions:" */
   Bool is_hex;       /* written with the prefix 0x */
} PositionColumn;

extern const PositionColumn cg2_position_columns[N_SUBPOSITIONS];

typedef struct PositionConfig {
   Bool has[N_SUBPOSITIONS]; /* whether positions have this subposition */
} PositionConfig;

typedef struct Position {
   const Name* file;
   ULong of[N_SUBPOSITIONS]; /* 0 for those that the configuration leaves out */
   Bool is_own;              /* see cg2_position_mark */
} Position;

/* The position of instruction `instr` of a block whose lines are resolved. */
Position cg2_position_of_instr(const PositionConfig* config,
                               const Block* block,
                               UInt instr);

/* The position where a function begins. */
Position cg2_position_of_entry(const PositionConfig* config,
                               const Function* function);

static inline Bool cg2_position_is_same(const Position* a, const Position* b)
{
   Bool is_same = a->file == b->file;
   for (UInt s = 0; s < N_SUBPOSITIONS; s++)
      is_same = is_same && a->of[s] == b->of[s];
   return is_same;
}

/* The order of two positions in code of a function whose file is `own`, as of a
 * strcmp: by what is independent of the file, then by file, the own first, then
 * by what is in the file. */
Int cg2_position_compare(const Position* a, const Position* b, const Name* own);

/* Has a position tell whether it is in the file `own` of its function. */
static inline void cg2_position_mark(Position* at, const Name* own)
{
   at->is_own = at->file == own;
}

/* The same as cg2_position_compare, for positions that are marked: VG_(ssort)
 * hands nothing through to its comparison. */
Int cg2_position_compare_marked(const Position* a, const Position* b);

#endif
