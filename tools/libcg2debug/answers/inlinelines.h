/* What the line table says of inlined functions. */
#ifndef CG2D_INLINELINES_H
#define CG2D_INLINELINES_H

#include "answers/inlinesearch.h"

/* Reads the line table of a unit whose instances are those from number
 * `first` on: statements of instructions, and marks. */
void cg2d_inlinelines_read(OriginSearch* search, Dwarf_Die* unit, size_t first);

#endif
