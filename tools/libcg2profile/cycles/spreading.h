/* Cycles of a part: of each line of its functions, and of calls, which cost
 * what the called function costs inclusively, by the calls' shares of its Ir.
 * Functions that call each other in a circle are one here. */
#ifndef CG2P_SPREADING_H
#define CG2P_SPREADING_H

#include "base/components.h"
#include "cycles/prices.h"

/* What calls of an arc have not been given to lines yet. */
typedef struct ArcRest {
   uint64_t ir;
   uint64_t of[CAUSES];
} ArcRest;

typedef struct Spreading {
   const Prices* prices;
   const CycleObjects* objects;
   const Part* part;
   uint32_t ir;                /* event */
   uint64_t fractions[CAUSES]; /* of cycles that lines had no whole of */
   uint64_t (*self)[CAUSES];   /* of functions */
   ArcRest* arcs;
   uint32_t* arc_to; /* number + 1 by callee, of the caller */
   uint32_t caller;  /* at hand; CG2P_NONE: none */
   Groups by_caller;
   Arena arena;
} Spreading;

/* Finds what arcs cost. */
void cg2p_spreading_begin(Spreading* spreading,
                          Failure* failure,
                          const Prices* prices,
                          const CycleObjects* objects,
                          const Part* part,
                          uint32_t ir);
/* Writes what a line costs that is read now, function by function in order:
 * what begin saw, again. Jumps cost nothing. */
void cg2p_spreading_line(Spreading* spreading,
                         uint32_t function,
                         const Line* line,
                         uint64_t* cycles);
void cg2p_spreading_free(Spreading* spreading);

#endif
