/* Which rows of a group are the same thing in OLD and in NEW.
 *
 * Two rows are the same if their last keys are the same. Lines that move are an
 * exception: in each function with lines of the file, their costs say where
 * they moved, see moves.h. */
#ifndef CG2P_PAIRING_H
#define CG2P_PAIRING_H

#include "ask/groups.h"
#include "ask/movedlines.h"

/* How the rows of a group are paired. */
typedef struct Pairs {
   size_t* of; /* each OLD row's in NEW, or CG2P_NO_ROW; rising */
   size_t room;
   size_t fit; /* how many pairs; those that cost the same count twice */
} Pairs;

/* Numbers that are set before they are read. */
typedef struct List {
   uint64_t* of;
   size_t n, room;
} List;

/* What rows are paired by, for a whole comparison. */
typedef struct Pairing {
   Failure* failure;
   const Sides* sides;
   MovedLines moves;
   List moved;          /* files with lines that stand elsewhere, in order */
   List by_cost[SIDES]; /* rows of a group */
   Pairs best, tried;   /* of the group at hand */
} Pairing;

/* Prepares a pairing, which is 0, for all groups; finds out how lines move. */
void cg2p_pairing_begin(Pairing* pairing, Failure* failure, const Sides* sides);
/* Pairs the rows of two groups that have the same keys: for each row of OLD, in
 * their order, one of NEW or CG2P_NO_ROW. It stays until the next call. */
const size_t* cg2p_pairing_pair(Pairing* pairing, const Group groups[SIDES]);
void cg2p_pairing_free(Pairing* pairing);

#endif
