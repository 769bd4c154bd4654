/* Reads the names of objects, files and functions, which a file gives ids. */
#ifndef CG2P_NAMING_H
#define CG2P_NAMING_H

#include "read/reading.h"

/* The name that a spec's value gives: a name, "(id) name" or "(id)". */
uint32_t cg2p_naming_read(Reader* reader, IdKind kind, Text value);

#endif
