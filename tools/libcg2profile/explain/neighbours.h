/* Who calls the functions that one side has alone, or whom they call. */
#ifndef CG2P_NEIGHBOURS_H
#define CG2P_NEIGHBOURS_H

#include "base/memory.h"

#include <stdbool.h>

typedef struct Neighbour {
   uint32_t function;
   uint64_t count; /* of calls */
} Neighbour;

/* A list for each function; those that are not asked for are empty. */
typedef struct Neighbours {
   size_t* first; /* where its list begins in `of`, */
   uint32_t* n;   /* and how many are in it, none twice */
   Neighbour* of;
} Neighbours;

/* Which functions are meant: those of which `sides` says `side`. */
typedef struct NeighbourQuestion {
   uint32_t n_functions;
   const uint8_t* sides;
   uint8_t side;
} NeighbourQuestion;

/* The callers of functions, or with `are_callees` the callees, in the order of
 * the graphs' arcs. */
Neighbours cg2p_neighbours_of(Arena* arena,
                              Failure* failure,
                              const cg2p_explained* graphs,
                              const NeighbourQuestion* asked,
                              bool are_callees);

/* The other way round: of each function the ones in whose lists it is, in the
 * order of `functions`. */
Neighbours cg2p_neighbours_turned(Arena* arena,
                                  Failure* failure,
                                  const Neighbours* lists,
                                  uint32_t n_functions,
                                  const uint32_t* functions,
                                  uint32_t n);

#endif
