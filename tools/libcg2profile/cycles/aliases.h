/* Registers that are one value since a move was eliminated. A core counts how
 * many such values there are, and eliminates no more moves than it can count:
 * of general registers until all that shared a value have others, of vectors
 * until no more than one has it. */
#ifndef CG2P_ALIASES_H
#define CG2P_ALIASES_H

#include "base/memory.h"

#include <stdbool.h>

/* What one kind of registers takes of the counters. */
typedef struct AliasCounters {
   uint64_t at;                            /* a cycle */
   uint32_t eliminated, eliminated_before; /* moves, in it and the one before */
   uint32_t used, used_before[2]; /* values, now and in the cycles before */
} AliasCounters;

typedef struct Aliases {
   uint8_t value[CG2P_REGISTERS];       /* a number; 0: its own */
   uint8_t sharers[CG2P_REGISTERS + 1]; /* of each value */
   bool is_vector[CG2P_REGISTERS + 1];  /* each value */
   AliasCounters kinds[2];              /* of general registers, of vectors */
} Aliases;

void cg2p_aliases_forget(Aliases* aliases, uint64_t now);
/* Whether a move is eliminated that is renamed at `now`, with so many counters
 * for its kind; 0: there is no limit. */
bool cg2p_aliases_eliminate(Aliases* aliases,
                            const cg2p_operation* move,
                            uint64_t now,
                            uint64_t counters);
/* What an operation writes has a value of its own. */
void cg2p_aliases_write(Aliases* aliases, const cg2p_operation* operation);

#endif
