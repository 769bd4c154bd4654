/* Names of functions as profiles have them: their symbols as Valgrind demangles
 * them, C++ and Rust, or as they are. Where an entry has no symbol, as a static
 * function of C++ that was inlined everywhere, its name with what it is in. */
#ifndef CG2D_FUNCTIONNAMES_H
#define CG2D_FUNCTIONNAMES_H

#include "dwarf/entries.h"

typedef struct FunctionNames {
   cg2d_object* object;
   Failure* failure;
   bool demangles;  /* false: names stay those of symbols */
   NumberMap taken; /* by the key of a demangled name: that of its symbol, which
                   has a hash */
} FunctionNames;

/* The name of the function that an entry describes. The text is of the object's
 * arena or of libdw. */
const char* cg2d_functionnames_name(FunctionNames* names, Dwarf_Die* entry);

#endif
