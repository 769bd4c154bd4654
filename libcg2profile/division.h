/* What functions cost by place, and the parts of it that stacks have. */
#ifndef CG2P_DIVISION_H
#define CG2P_DIVISION_H

#include "portion.h"
#include "profile.h"

/* Places are rows: all of function 0, then all of function 1, and so on. A
 * stack's part of a cost is not kept but found anew from its share and the
 * cut of all stacks' parts. */
typedef struct Division {
   const uint64_t* costs; /* of the places, n_events numbers for each */
   size_t* first;         /* place of each function, and the end */
   cg2p_table* table;     /* the places by line; NULL: each function is one */
   uint32_t* ranks;       /* of names, in the order of their bytes, by line */
   uint32_t* by_rank;     /* the names in that order */
   uint64_t* sums; /* of the weights of a function's stacks, for each event; 0:
                      all have the same weight */
   uint32_t* n_stacks; /* of each function */
   size_t* cuts_of;    /* of each function, its first number in `cuts` */
   Cut* cuts; /* n_events for each place of a function of several stacks */
   size_t n_cuts, cuts_room;
} Division;

void cg2p_division_free(Division* division);

/* A share as a weight: a whole number. */
static inline uint64_t cg2p_weight_of(double share)
{
   return share * 0x1p60;
}

#endif
