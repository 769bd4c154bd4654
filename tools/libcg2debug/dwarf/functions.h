/* The functions of an object, by address. */
#ifndef CG2D_FUNCTIONS_H
#define CG2D_FUNCTIONS_H

#include "dwarf/object.h"

/* The piece of code that an address is in; NULL: in none that is known. */
const Piece* cg2d_functions_piece_at(cg2d_object* object,
                                     Failure* failure,
                                     uint64_t address);

#endif
