/* Adding to a sum function by function, and not by whole parts. */
#ifndef CG2P_MERGE_H
#define CG2P_MERGE_H

#include "sum/addend.h"

/* Begins to add a part: its names and functions have numbers in the sum from
 * here on, and its header is added. */
void cg2p_merge_open(cg2p_merge* merge,
                     const cg2p_profile* profile,
                     const Part* part,
                     const cg2p_mapping* mapping);

/* The sum's number of a name, or of a function, of the part that is added. */
uint32_t cg2p_merge_name(cg2p_merge* merge, uint32_t name);
uint32_t cg2p_merge_function(cg2p_merge* merge, uint32_t function);

/* Adds the rows in merge->more.rows, which have the sum's numbers and are in
 * any order, to the lines of a function of the sum. */
void cg2p_merge_add_rows(cg2p_merge* merge, uint32_t function);

#endif
