/* The format of Firefox's profiler. */
#ifndef CG2P_FIREFOX_H
#define CG2P_FIREFOX_H

#include "export/stackwriter.h"

/* Writes the whole file. */
void cg2p_firefox_put(StackWriter* writer);

#endif
