/* The instances of inlined functions in one function of a profile, and how
 * often each was entered.
 *
 *    local     a number of an instance in the function at hand; the outer one
 *              comes first. 0 is the function itself
 *    presence  an instance in a block: an instruction of the block is in it or
 *              in an instance inside it
 *    stray     a mark in a block where its instance has no instruction
 *    neutral   an instruction that belongs to no statement: compilers put it
 *              where they like, so that it says nothing */
#ifndef CG2P_INSTANCES_H
#define CG2P_INSTANCES_H

#include "inlines/flow.h"

typedef struct Local {
   uint32_t instance; /* a number of cg2p_inlines.instances; of local 0 none */
   uint32_t outer;    /* a local, less than its own */
   uint32_t inner;    /* the first one inside it; 0: there is none */
   uint32_t next;     /* the next one in the same local; 0: there is none */
   uint32_t first_line; /* of its statements; 0: there are none */
   uint32_t step;       /* its first */
   uint32_t first, end; /* its presences: first to end - 1 */
   uint64_t entries;    /* how often it was entered */
   uint64_t strays;     /* and of that, where it has no instruction */
   bool is_estimated;   /* that number is */
   bool is_packed;      /* an instruction handles several values at once */
   bool is_firm;        /* its code branches, or calls */
} Local;

typedef struct Presence {
   uint32_t local, block;
   uint32_t begins;  /* how often the function begins in the block */
   bool is_midway;   /* all of that behind the block's head */
   uint64_t outside; /* how much came into the block from outside, */
   uint64_t taken;   /* and of that went on to where the function begins */
} Presence;

/* Steps of a block, one behind the other, that are in a local. */
typedef struct LocalSpot {
   uint32_t function, local;
   size_t first, last; /* steps */
} LocalSpot;

typedef struct Instances {
   const cg2p_inlines* inlines;
   const Flow* flow;
   Local* locals;
   size_t n_locals, locals_room;
   Presence* presences; /* by local, then by block */
   size_t n_presences, presences_room;
   const cg2p_instruction** of; /* what is known of each step */
   size_t of_room;
   uint32_t* local_of; /* of each step; instances that steps are in */
   size_t local_of_room;
   uint32_t* tails; /* of each block the local of its last statement */
   size_t tails_room;
   uint32_t* heads; /* and of its first one; CG2P_NONE: it has none */
   size_t heads_room;
   uint32_t* presence_in; /* number + 1 by block, of the local at hand */
   size_t presence_in_room;
   uint32_t* known; /* local + 1 by instance; 0: not in the function */
   size_t known_room;
   uint32_t* of_function; /* one of its locals, by inlined function; 0: none */
   size_t of_function_room;
   LocalSpot* spots; /* of the block at hand; by function, then by step */
   size_t n_spots, spots_room;
} Instances;

/* Finds the instances in a flow. `inlines` are those of its object, whose
 * instructions `addresses` has, as many as `n`; NULL: nothing is known. */
void cg2p_instances_find(Instances* instances,
                         Failure* failure,
                         const Flow* flow,
                         const cg2p_inlines* inlines,
                         const uint64_t* addresses,
                         size_t n);
/* Counts how often each was entered; `has_jumps`: the part has jumps. */
void cg2p_instances_count(Instances* instances,
                          Failure* failure,
                          bool has_jumps);
void cg2p_instances_free(Instances* instances);

/* Whether a local is another one or inside it. */
static inline bool cg2p_instances_is_inside(const Instances* instances,
                                            uint32_t local,
                                            uint32_t outer)
{
   while (local > outer)
      local = instances->locals[local].outer;
   return local == outer;
}

#endif
