/* Circuits among the blocks of each line: how often control went round. */
#ifndef CG2P_CIRCUITS_H
#define CG2P_CIRCUITS_H

#include "base/memory.h"

#include <stdbool.h>

/* A way from a block to one of the same line, which are numbers. */
typedef struct CircuitWay {
   uint32_t line, from, to;
   uint64_t count;
} CircuitWay;

/* Begins as zeroes, but for the arena. */
typedef struct Circuits {
   Arena* arena;
   CircuitWay* ways;
   size_t n, room;
   size_t first, end; /* of the line at hand */
   bool is_sorted;
} Circuits;

void cg2p_circuits_add(Circuits* circuits, Failure* failure, CircuitWay way);
/* Goes to the next line that has ways, once all are added; CG2P_NONE: there is
 * none. */
uint32_t cg2p_circuits_next_line(Circuits* circuits);
/* How often control went round in circuits of that line: those of a circuit are
 * the fewest of any of its ways, which are then gone. */
uint64_t cg2p_circuits_rounds(Circuits* circuits, Failure* failure);

#endif
