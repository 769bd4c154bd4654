/* What speaks for two rows of a function's lines of a file being the same line:
 * costs, calls, and the texts of both. */
#ifndef CG2P_LIKENESS_H
#define CG2P_LIKENESS_H

#include "ask/chain.h"
#include "ask/groups.h"
#include "ask/sourcelines.h"

/* Rows of a side. */
typedef struct RowList {
   size_t* of;
   size_t n, room;
} RowList;

/* Begins as zeroes. */
typedef struct Likeness {
   const Sides* sides;
   Group groups[SIDES];
   SourceLines texts[SIDES]; /* of the file at hand, if both are known */
   RowList sorted[SIDES];
   RowList alike; /* of each row of OLD, the one of NEW or CG2P_NO_ROW */
} Likeness;

/* Makes a file the one at hand: its sources, or NULL. */
void cg2p_likeness_begin_file(Likeness* likeness,
                              Failure* failure,
                              const char* const sources[SIDES]);
/* Makes groups that both have rows those at hand: rows are alike if they cost
 * the same. */
void cg2p_likeness_begin(Likeness* likeness,
                         Failure* failure,
                         const Group groups[SIDES]);
/* The same, but rows are alike if the next lines are as far from them. */
void cg2p_likeness_begin_by_distance(Likeness* likeness,
                                     Failure* failure,
                                     const Group groups[SIDES]);
/* The row of NEW that alone is like one of OLD, or among several has the
 * same place; or CG2P_NO_ROW. */
static inline size_t cg2p_likeness_alike(const Likeness* likeness, size_t old)
{
   return likeness->alike.of[old - likeness->groups[0].from];
}
/* The weight of a row of OLD and one of NEW as a pair, see chain.h. */
int64_t cg2p_likeness_weigh(const Likeness* likeness, size_t old, size_t new);
void cg2p_likeness_free(Likeness* likeness);

#endif
