/* Lines of a file of both sides that may be the same: those that a function has
 * in both. */
#ifndef CG2P_CANDIDATES_H
#define CG2P_CANDIDATES_H

#include "ask/likeness.h"
#include "base/sums.h"

/* Lines of a side. */
typedef struct LineList {
   FileLine* of; /* rising */
   size_t n, room;
} LineList;

/* Begins as zeroes. */
typedef struct CandidateList {
   LinePairs found;
   size_t room;
   LineList lines[SIDES];
   Sums sums;      /* of lines, then of pairs, over all functions */
   Sums distances; /* of a file with more pairs than can all be tried */
} CandidateList;

/* The rows of groups of one file, in both sides; all lines of the file are
 * looked at together. */
typedef struct FileGroup {
   uint64_t file;
   Group groups[SIDES];
   bool moved; /* the sides have other lines */
} FileGroup;

/* Finds the candidates of `n` groups, which have rows in both sides. Lines of a
 * function that has the same ones in both sides are candidates only where they
 * stand. Of a file with very many pairs, not all distances are tried, but those
 * that most speaks for. */
void cg2p_candidates_find(CandidateList* list,
                          Failure* failure,
                          Likeness* likeness,
                          const FileGroup* groups,
                          size_t n);
void cg2p_candidates_free(CandidateList* list);

#endif
