/* Folded stacks, a line each. */
#ifndef CG2P_FOLDEDWRITER_H
#define CG2P_FOLDEDWRITER_H

#include "export/stackwriter.h"

/* Writes the whole file. */
void cg2p_foldedwriter_put(StackWriter* writer);

#endif
