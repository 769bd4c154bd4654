/* Where a function's variables are while it runs, those of the functions that
 * are inlined in it too. */
#ifndef CG2D_VARIABLES_H
#define CG2D_VARIABLES_H

#include "dwarf/object.h"

/* How a variable is found. */
typedef enum PlaceKind {
   IN_REGISTER = 1, /* its value is in the register */
   BY_REGISTER,     /* its value is the register's and `offset` */
   AT_REGISTER,     /* it is in memory, `offset` behind where the register
                       points */
   IN_FRAME,        /* it is in memory, `offset` behind the frame base */
} PlaceKind;

/* Where a variable, or a piece of one, is in a range of addresses. */
typedef struct VariablePlace {
   uint64_t low, high; /* instructions, in the ELF object */
   Dwarf_Die variable;
   PlaceKind kind;
   unsigned reg;   /* DWARF's number */
   int64_t offset; /* bytes */
   uint32_t type;  /* of the variable */
   uint32_t piece; /* which byte of it this is the first of */
} VariablePlace;

typedef struct VariablePlaces {
   VariablePlace* all; /* by rising `low` */
   size_t count, room;
} VariablePlaces;

/* Adds the places of a function's variables; the caller frees `all`. */
void cg2d_variables_find_places(cg2d_object* object,
                                Failure* failure,
                                Dwarf_Die* function,
                                VariablePlaces* places);

#endif
