/* What an object names to be opened for its debug information: files, and no
 * pipes or devices, in which libdw would wait without end. */
#ifndef CG2D_PLAINFILES_H
#define CG2D_PLAINFILES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* Whether nothing is at a path, or a file. */
bool cg2d_plainfiles_is_file(const char* path);

/* Whether what a debug link leads to from `file` is a file, or nothing. Either
 * may be NULL. */
bool cg2d_plainfiles_is_link(const char* file, const char* link);

/* Whether the .dwo files that the units of an object name are files, or are not
 * there. */
bool cg2d_plainfiles_are_split(Dwarf* dwarf, const char* path);

#endif
