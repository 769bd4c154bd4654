/* A function taken apart: its lines become those of the functions that were
 * inlined into it, and these are called. */
#ifndef CG2P_SPLIT_H
#define CG2P_SPLIT_H

#include "inlines/inlining.h"

/* Takes a function of a part apart. */
void cg2p_split_function(cg2p_inlining* inlining,
                         const Part* part,
                         uint32_t number);

#endif
