/* Lists of counts in descriptions, with tabs between their words, as
 * "17 main.c:main /bin/app": a number, a blank, and what it is of. */
#ifndef CG2P_COUNTEDLIST_H
#define CG2P_COUNTEDLIST_H

#include "base/memory.h"

/* The sum of two lists, in the order of what is counted; in the arena. What is
 * no count is left out. */
const char* cg2p_countedlist_add(Arena* texts,
                                 Failure* failure,
                                 const char* a,
                                 const char* b);

#endif
