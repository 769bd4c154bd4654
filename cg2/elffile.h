/* The little that cg2 reads from ELF files itself: where the executable
 * segments and the linker's call stubs are. Valgrind's debug-information
 * reader knows .text and .plt only.
 *
 * Source: System V ABI, "Object Files"; the names .plt, .plt.sec and .plt.got
 * of the stub sections are the GNU linker's. */
#ifndef CG2_ELFFILE_H
#define CG2_ELFFILE_H

#include "block.h"

/* Fills object->code and object->stubs from the file of the object's name.
 * False, with the object unchanged, if that is not a readable ELF file of this
 * word size. */
Bool cg2_elffile_read(Object* object);

#endif
