/* What instructions that repeat themselves, such as `rep stos`, have executed.
 *
 * Ir counts each round of such an instruction, the processor the instruction
 * once. --collect-rep tells rounds apart, which needs counters. Without it how
 * often a block ran tells how often the instruction at its end did: each of
 * these is a round, or finds that there is none left. So a part can say of
 * which functions and lines rounds are most, and nothing more is counted. */
#ifndef CG2_ROUNDS_H
#define CG2_ROUNDS_H

#include "engine/context.h"
#include "profile/callgrind/scribe.h"

/* Executions of one instruction in one context. */
typedef struct RoundsItem {
   const Context* context;
   SourceLine line;
   ULong n;
} RoundsItem;

typedef struct Rounds {
   RoundsItem* items;
   UInt n, room;
   ULong instrs; /* of the part; a place is worth a word from a thousandth on */
} Rounds;

/* What was executed in `n` contexts, whose lines are resolved, of a part with
 * so many instructions. To be freed. */
Rounds cg2_rounds_count(const Context* const* contexts, UInt n, ULong instrs);
void cg2_rounds_free(Rounds* rounds);

/* Writes the functions and the lines that are worth it, as descriptions with
 * tabs between their words. */
void cg2_rounds_write(Scribe* s, const Rounds* rounds);

#endif
