/* The format of pprof. */
#ifndef CG2P_PPROF_H
#define CG2P_PPROF_H

#include "export/stackwriter.h"

/* Writes the whole file. */
void cg2p_pprof_put(StackWriter* writer);

#endif
