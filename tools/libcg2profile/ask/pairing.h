/* Which rows of OLD and NEW are the same thing.
 *
 * Two rows are the same if their keys are the same. Lines that move are an
 * exception: the lines of a file, over all functions together, are aligned as
 * sequences, see chain.h. A function of which no line is the same then has
 * changed places with others: its lines are aligned alone. */
#ifndef CG2P_PAIRING_H
#define CG2P_PAIRING_H

#include "ask/candidates.h"

/* What rows are paired by, for a whole comparison. */
typedef struct Pairing {
   Failure* failure;
   const Sides* sides;
   size_t* of; /* each OLD row's in NEW, or CG2P_NO_ROW; rising in a group */
   FileGroup* groups; /* that have rows in both sides */
   size_t n, room;
   Likeness likeness; /* the rest is memory to align with */
   CandidateList candidates;
   Chain chain;
} Pairing;

/* Pairs all rows; the pairing is 0 before. */
void cg2p_pairing_make(Pairing* pairing, Failure* failure, const Sides* sides);
/* Sets to 1, by number, files of which groups that are in both sides have other
 * lines. */
void cg2p_pairing_mark_moved(const Sides* sides, uint8_t* moved);
void cg2p_pairing_free(Pairing* pairing);

#endif
