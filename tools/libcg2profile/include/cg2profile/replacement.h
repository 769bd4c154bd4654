/* What took the place of functions that only OLD has, as their callers,
 * callees, costs and names suggest. */
#ifndef CG2PROFILE_REPLACEMENT_H
#define CG2PROFILE_REPLACEMENT_H

#include "explanation.h"
#include "matching.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Looks for more counterparts of functions that only OLD has, among those that
 * only NEW has; each is the counterpart of one at most. Functions of the sides
 * are numbers of the matching. `counterparts` has for each function what it is
 * in NEW, or what stands in its place there; CG2P_NONE: that is not known, or
 * it has its name there. What is found is added. 0: *error says that there is
 * no memory. */
CG2P_API int cg2p_replacement_find(const cg2p_matching* matching,
                                   const cg2p_explained* old_side,
                                   const cg2p_explained* new_side,
                                   uint32_t* counterparts,
                                   cg2p_error* error);

#ifdef __cplusplus
}
#endif
#endif
