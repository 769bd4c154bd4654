/* What an object names to be opened for its debug information: files, and no
 * pipes or devices, in which libdw would wait without end. */
#ifndef CG2D_PLAINFILES_H
#define CG2D_PLAINFILES_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* Whether nothing is at a path, or a file. */
bool cg2d_plainfiles_is_file(const char* path);

/* libdw's way to find the file that a debug link names, as a callback of it; it
 * finds none where what is there is no file. */
int cg2d_plainfiles_find_debug(Dwfl_Module* module,
                               void** data,
                               const char* name,
                               Dwarf_Addr base,
                               const char* file,
                               const char* link,
                               GElf_Word sum,
                               char** found);

/* Whether the .dwo files that the units of an object name are files, or are not
 * there. */
bool cg2d_plainfiles_are_split(Dwarf* dwarf, const char* path);

#endif
