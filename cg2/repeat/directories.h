/* Directories: their entries come in the order of names, and not of the file
 * system. */
#ifndef CG2_DIRECTORIES_H
#define CG2_DIRECTORIES_H

#include "repeat/call.h"

Bool cg2_directories_getdents64(const KernelRequest* call);
/* Moves to another entry. False: the file is no directory that is being read.
 */
Bool cg2_directories_lseek(const KernelRequest* call);

#endif
