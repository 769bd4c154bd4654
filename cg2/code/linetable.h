/* The line table of an object, as far as Valgrind's reader drops it: where a
 * function begins whose first instruction is inlined.
 *
 * A line table has rows, each an address, a file and a line. GCC, Clang and
 * rustc begin each function with a row of the line on which its body begins.
 * Where the first instruction is inlined from elsewhere, a second row of the
 * same address follows, and the first one covers no instruction; readers keep
 * the second one.
 *
 * The first row's file is told by a *witness*, an instruction of a row that
 * covers one and has the same file: what Valgrind says of the witness is the
 * file's name as all other names are.
 *
 * Source: DWARF 5, section 6.2, and DWARF 2 to 4, the same section. */
#ifndef CG2_LINETABLE_H
#define CG2_LINETABLE_H

#include "code/code.h"

/* Fills object->openings, by one unit of .debug_line: `n` bytes that begin with
 * its length. What is broken or not understood is left out. Unwind ranges and
 * code of the object must be there. */
void cg2_linetable_read(Object* object, const UChar* unit, SizeT n);

/* The opening of the function that begins at the offset, or NULL if its first
 * instruction's row is the only one. */
const Opening* cg2_linetable_opening(const Object* object, Addr offset);

#endif
