/* What differs between the rows of two profiles. */
#ifndef CG2PROFILE_DIFFERENCE_H
#define CG2PROFILE_DIFFERENCE_H

#include "common.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CG2P_SIDE_KEYS = 3 };

/* Rows of one of two profiles that are compared, such as those of a table. What
 * is the same in both has the same keys: the caller maps functions and files of
 * the two to common numbers. No two rows of a side have the same keys; rows in
 * the order of their keys, the first key first, are compared fastest. All stays
 * the caller's. */
typedef struct cg2p_side {
   size_t n;                             /* rows */
   const uint64_t* keys[CG2P_SIDE_KEYS]; /* a number for each row; NULL behind
                                            the last key */
   const uint64_t* counts;               /* of calls; NULL: there are none */
   const uint64_t* costs;                /* of the rows, one behind the other */
} cg2p_side;

/* How two sides are compared. */
typedef struct cg2p_comparison {
   uint32_t n_events;
   const int64_t* factors; /* how often each event counts in an effect */
   /* 1: the last key is a line of source code, and the key before it, if there
    * is one, the file of that line. Rows of line 0, which is no line, are left
    * out. An edit may have moved lines of a file, without changing their order;
    * rows are paired so that lines that moved are the same line in both sides.
    * Rows with the same other keys can be paired in several ways. The way with
    * the most pairs is taken; a pair with equal costs counts as two. Tried are
    * the moves that were found for the whole file, and all rows moved by one
    * distance: by 0, or so that the first or the last rows meet. */
   int lines_move;
} cg2p_comparison;

#define CG2P_NO_ROW SIZE_MAX

/* Rows that are the same thing, and differ in costs or count. */
typedef struct cg2p_change {
   size_t old_row; /* CG2P_NO_ROW: it was added */
   size_t new_row; /* CG2P_NO_ROW: it was removed */
} cg2p_change;

typedef struct cg2p_difference cg2p_difference;

/* Compares two sides that have the same keys. The effect of a change is by how
 * much its costs differ, each event times its factor, up or down, at most
 * 2^64 - 1. Changes with the largest effect come first; then those whose counts
 * differ most; then they are in the order of their keys (those of the new row
 * if there is one), where rows that were added come before rows that were
 * removed. NULL: *error says that there is no memory. The caller frees the
 * difference. */
CG2P_API cg2p_difference* cg2p_difference_new(const cg2p_side* old_side,
                                              const cg2p_side* new_side,
                                              const cg2p_comparison* how,
                                              cg2p_error* error);
CG2P_API size_t cg2p_difference_change_count(const cg2p_difference* difference);
/* The changes, as many as cg2p_difference_change_count says. */
CG2P_API const cg2p_change*
cg2p_difference_changes(const cg2p_difference* difference);
CG2P_API void cg2p_difference_free(cg2p_difference* difference);

#ifdef __cplusplus
}
#endif
#endif
