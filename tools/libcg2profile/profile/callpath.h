/* The paths of a part that is a tree of them: its functions, each caller in
 * front of what it calls. */
#ifndef CG2P_CALLPATH_H
#define CG2P_CALLPATH_H

#include "profile/part.h"

/* Adds a path, which is a function with this key. */
uint32_t cg2p_callpath_add(Part* part,
                           Failure* failure,
                           cg2p_function key,
                           const cg2p_path* path);

/* Makes arcs and lines of the paths, when all are there. False: a sum is too
 * large for 64 bits. */
bool cg2p_callpath_complete(Part* part, Failure* failure);

/* Whether a function stands for paths that had no room. */
bool cg2p_callpath_is_more(const NameStore* names, cg2p_function key);

/* The key of such a function. */
cg2p_function cg2p_callpath_key_of_more(NameStore* names, Failure* failure);

#endif
