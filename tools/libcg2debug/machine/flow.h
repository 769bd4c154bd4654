/* Which types the registers of a function point to, instruction by instruction:
 * debug information says where variables are, and what is loaded, moved and
 * added between is followed along all ways through the function. */
#ifndef CG2D_FLOW_H
#define CG2D_FLOW_H

#include "dwarf/functions.h"
#include "machine/values.h"

/* What an instruction's operands in memory are; type 0: not known. */
typedef struct Meant {
   cg2d_access operands[2];
} Meant;

typedef struct ValueFlow {
   Instruction* instructions;
   Meant* meant; /* of each instruction */
   size_t count;
} ValueFlow;

/* Follows the values in a piece of a function's code; the caller frees it. */
void cg2d_flow_follow(cg2d_object* object,
                      Failure* failure,
                      const Piece* piece,
                      ValueFlow* flow);
void cg2d_flow_free(ValueFlow* flow);

#endif
