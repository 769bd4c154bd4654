/* The names of the types in the units of an object, with the namespaces and
 * classes that they are in, and where each is defined; what functions are in.
 */
#ifndef CG2D_INDEX_H
#define CG2D_INDEX_H

#include "dwarf/object.h"

/* The name of a type's entry; "": it has none. */
const char*
cg2d_index_name(cg2d_object* object, Failure* failure, Dwarf_Die* entry);
/* Finds what defines the type of a name; false: nothing does. */
bool cg2d_index_find(cg2d_object* object,
                     Failure* failure,
                     const char* name,
                     Dwarf_Die* entry);

#endif
