/* Where lines of source files have moved to, as their costs tell.
 *
 * A *vote* says that a line of OLD is a line of NEW, because a function that
 * has lines of that file says so. Lines of a file stay in their order, so votes
 * may contradict each other: a *chain* is votes that do not, each of a later
 * line of both than the one before. The chain that most votes are for is kept:
 * its lines are *anchors*. */
#ifndef CG2P_MOVEDLINES_H
#define CG2P_MOVEDLINES_H

#include "base/sums.h"

/* A line in OLD and in NEW. */
typedef struct Anchor {
   uint64_t old, new;
} Anchor;

/* The anchors of a file, lines ascending. */
typedef struct Anchors {
   const Anchor* of;
   size_t n;
} Anchors;

/* The anchors of all files that have some, file by file. */
typedef struct MovedLines {
   Sums votes;
   Arena made; /* has both arrays */
   Anchor* anchors;
   uint64_t* files; /* of each anchor */
   size_t n;        /* anchors */
} MovedLines;

/* Prepares moves, which are all 0, for votes. */
void cg2p_movedlines_begin(MovedLines* moves);
/* Adds so many votes that line `old` of a file is line `new`. */
void cg2p_movedlines_vote(MovedLines* moves,
                          Failure* failure,
                          uint64_t file,
                          uint64_t old,
                          uint64_t new,
                          uint64_t votes);
/* Finds the anchors, when all have voted. Of chains with as many votes that is
 * kept whose last anchor stands first in NEW, then in OLD; and so on for the
 * anchors before. */
void cg2p_movedlines_decide(MovedLines* moves, Failure* failure);
/* The anchors of a file, by its number; none, if nothing is known of it. */
Anchors cg2p_movedlines_anchors(const MovedLines* moves, uint64_t file);
void cg2p_movedlines_free(MovedLines* moves);

#endif
