/* The bodies of files of paths. */
#ifndef CG2P_PATHWRITER_H
#define CG2P_PATHWRITER_H

#include "write/writing.h"

/* Writes what the header of a part of paths says of their number. */
void cg2p_pathwriter_put_size(Writer* writer);
/* Writes the paths of the part. */
void cg2p_pathwriter_put(Writer* writer);

#endif
