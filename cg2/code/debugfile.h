/* Separate debug files, which have the symbols of a stripped ELF file.
 *
 * One is known by its build-id, which both files have: below /usr/lib/debug,
 * and where debuginfod's client has put what it has fetched; or by its name in
 * .gnu_debuglink: beside the ELF file, in .debug there, or below
 * /usr/lib/debug. A file that has no build-id is known by its checksum.
 *
 * Source: GDB's manual, "Debugging Information in Separate Files";
 * debuginfod_find_debuginfo(3) for its cache. */
#ifndef CG2_DEBUGFILE_H
#define CG2_DEBUGFILE_H

#include "code/elfparts.h"

/* Opens the debug file of an open ELF file, which has this path. False: there
 * is none, and nothing is open. */
Bool cg2_debugfile_open(ElfParts* debug,
                        const ElfParts* stripped,
                        const HChar* path);

#endif
