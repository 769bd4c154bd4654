/* Which calls led to the costs of a part; cg2profile.h says what a stack is.
 *
 * way     how a cycle, mostly of one function, is reached: a stack of a
 *         caller, and its calls
 * share   the part of a function's cost that is spent in one of its stacks, for
 *         each event
 * tree    how each function of a cycle is reached from one of them, by the
 *         most costly calls */
#ifndef CG2P_STACKS_H
#define CG2P_STACKS_H

#include "profile/part.h"
#include "stacks/plainname.h"

/* What division left over of one item's portion. */
typedef struct Remainder {
   uint64_t left; /* below the sum of the weights */
   uint32_t item; /* its number */
} Remainder;

/* The last remainder that gets one more; `left` is UINT64_MAX if none does. */
typedef Remainder Cut;

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

/* How a function's stacks share its cost. */
typedef struct Origin {
   uint32_t share; /* number of the shares that its way has */
   uint32_t item;  /* number of the stack among those of its function */
   uint32_t next;  /* stack of the function, CG2P_NONE: there are no more */
} Origin;

struct cg2p_stacks {
   const cg2p_profile* profile;
   const Part* part;
   uint32_t small; /* the function that stands for small shares */
   uint32_t n;
   cg2p_stack* of;
   Origin* origins;
   size_t room, origins_room;
   uint64_t* inclusive; /* n_events numbers for each stack */
   PlainNames names;
   uint64_t* total;
   uint64_t apportioned;
   bool lacks_chains; /* longer chains would make some of that certain */
   double* shares;    /* n_events numbers for each way; number 0: all */
   size_t n_shares, shares_room;
   Division division;
};

/* What stands for callers that are not shown one by one. */
extern const StoredName cg2p_stacks_small_shares;

/* What identifies a function of the stacks; its name is the profile's. */
static inline cg2p_function cg2p_stacks_function(const cg2p_stacks* stacks,
                                                 uint32_t function)
{
   if (function == stacks->small)
      return (cg2p_function){NAME_UNKNOWN, NAME_UNKNOWN, NAME_UNKNOWN};
   return stacks->part->functions[function];
}

/* A function's name without recursion level and call chain. */
static inline const StoredName*
cg2p_stacks_plain_name(const cg2p_stacks* stacks, uint32_t function)
{
   return function == stacks->small
             ? &cg2p_stacks_small_shares
             : &stacks->names.names.of[stacks->names.of[function]];
}

#endif
