/* The little that cg2 reads from ELF files itself: where the executable
 * segments, the linker's call stubs and the functions are that can be unwound,
 * and where functions are declared. Valgrind's debug-information reader knows
 * .text and .plt only, functions only by symbols, and lines only by
 * instructions.
 *
 * Source: System V ABI, "Object Files"; the names .plt, .plt.sec and .plt.got
 * of the stub sections are the GNU linker's. */
#ifndef CG2_ELFFILE_H
#define CG2_ELFFILE_H

#include "code/code.h"

/* Fills in the identity, code, entry, stubs, unwind ranges and openings of an
 * object from the file that it is named after. False, with the object
 * unchanged, if there is no readable ELF file of this word size. */
Bool cg2_elffile_read(Object* object);

#endif
