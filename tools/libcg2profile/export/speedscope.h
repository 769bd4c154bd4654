/* Speedscope's format. */
#ifndef CG2P_SPEEDSCOPE_H
#define CG2P_SPEEDSCOPE_H

#include "export/stackwriter.h"

/* Writes the whole file. */
void cg2p_speedscope_put(StackWriter* writer);

#endif
