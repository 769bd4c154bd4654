/* What functions without symbols are in: namespaces and classes. */
#ifndef CG2D_SCOPES_H
#define CG2D_SCOPES_H

#include "dwarf/object.h"

/* The namespaces and classes that the entry of a function without a symbol is
 * in, as "a::B"; "": none. The text is of the object's arena. */
const char*
cg2d_scopes_name(cg2d_object* object, Failure* failure, Dwarf_Die* entry);

#endif
