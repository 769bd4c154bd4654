/* Chrome's trace events. */
#ifndef CG2P_CHROME_H
#define CG2P_CHROME_H

#include "export/stackwriter.h"

/* Writes the whole file. */
void cg2p_chrome_put(StackWriter* writer);

#endif
