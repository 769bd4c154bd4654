/* Debug information in a file of its own. */
#ifndef CG2D_SEPARATE_H
#define CG2D_SEPARATE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* libdwfl's way to find that file, as a callback of it; -1: there is none, or
 * what is there is no file. One that is packed is unpacked; without the places
 * of variables if *data is not NULL. */
int cg2d_separate_find(Dwfl_Module* module,
                       void** data,
                       const char* name,
                       Dwarf_Addr base,
                       const char* file,
                       const char* link,
                       GElf_Word sum,
                       char** found);

/* What is open, or its copy in its place, if its debug information is packed.
 */
int cg2d_separate_unpacked(int fd, bool has_places);

#endif
