/* Stacks that are being made. */
#ifndef CG2P_MAKER_H
#define CG2P_MAKER_H

#include "stacks/stacks.h"

/* A way into a cycle. */
typedef struct Way {
   uint32_t caller; /* a stack; CG2P_NONE: none, the way is a root */
   uint32_t callee; /* a function */
   uint32_t call;   /* CG2P_NONE: no single one */
} Way;

/* Several ways, and what they cost. */
typedef struct Ways {
   Way* of;
   size_t n, room;
   double* costs; /* n_events numbers for each way */
   size_t costs_room;
} Ways;

/* Ways that become one, below small shares. */
typedef struct Small {
   size_t n;
   uint32_t callee;       /* of the largest */
   double *largest, *sum; /* costs */
} Small;

/* A call of a function of a cycle. */
typedef struct Reach {
   uint32_t call;  /* CG2P_NONE: the function where the tree begins */
   uint32_t place; /* how many were found before */
} Reach;

/* The trees of a cycle, one for each function where it is entered: calls, a
 * caller's in front of its callees'. */
typedef struct Trees {
   size_t* first;  /* of each function the first of its tree's calls */
   uint32_t* made; /* cycle + 1 if its tree is made */
   uint32_t cycle; /* whose trees are in `calls` */
   uint32_t* calls;
   size_t n, room;
   /* While one is made: */
   Reach* heap; /* calls of functions that are reached, the most costly first */
   size_t n_heap, heap_room;
   uint32_t* reached; /* number of the tree in which each function was */
   uint32_t n_trees;
} Trees;

/* A function's stacks. */
typedef struct Row {
   uint32_t first, last, n;
} Row;

/* Functions that call each other in a circle; most are alone in theirs. */
typedef struct CycleGroups {
   uint32_t n;
   uint32_t* of;    /* of each function its cycle */
   Groups members;  /* functions by cycle */
   Groups entering; /* calls by the cycle that they enter from another */
} CycleGroups;

/* Threads' roots. */
typedef struct RootFunctions {
   uint8_t* is_root; /* whether each function is called, and one */
   bool has_any;
} RootFunctions;

/* How the cycle at hand is entered. */
typedef struct Entry {
   double* limits; /* below which ways are small */
   __int128* rest; /* what ways do not bring */
   Ways ways;
   Small small;
   uint32_t small_stack; /* CG2P_NONE: there is none */
} Entry;

/* What the function that is divided has. */
typedef struct DividedFunction {
   uint32_t* stacks;
   uint64_t* weights;
   Remainder* remainders;
   size_t stacks_room, weights_room, remainders_room;
} DividedFunction;

typedef struct Maker {
   Failure failure;
   cg2p_stacks* made;
   const Part* part;
   double smallest;
   bool by_line;
   Arena scratch;
   Calls calls;
   CycleGroups cycles;
   Row* rows; /* of each function */
   uint8_t* is_apportioned;
   RootFunctions roots;
   Entry entry;
   Trees trees;
   uint32_t* placed; /* stack of each function on the way that is added */
   DividedFunction divided;
} Maker;

/* Makes what ways and trees need, and the share of a function's only stack:
 * all. */
void cg2p_maker_begin(Maker* maker);

/* Adds a stack, which has a share. */
uint32_t
cg2p_maker_add_stack(Maker* maker, const cg2p_stack* stack, uint32_t share);

/* Frees all but the stacks that were made. */
void cg2p_maker_end(Maker* maker);

#endif
