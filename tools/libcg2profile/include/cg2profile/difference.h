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
    * the lines of a file are aligned, over all rows together, so that lines
    * that moved are the same line in both sides. What speaks for two lines
    * being the same, the first most: their distance is that of the lines
    * before; their texts; what they call, and how often; that they cost the
    * same, or as many times what they did as the lines before. Rows with the
    * same other keys of which no line was found so are aligned alone. */
   int lines_move;
} cg2p_comparison;

#define CG2P_NO_ROW SIZE_MAX

/* Rows that are the same thing, and differ in costs or count. */
typedef struct cg2p_change {
   size_t old_row; /* CG2P_NO_ROW: it was added */
   size_t new_row; /* CG2P_NO_ROW: it was removed */
} cg2p_change;

typedef struct cg2p_difference cg2p_difference;

/* Calls on lines, such as those of a table, in the order of the functions that
 * call, files and lines, which have the numbers of a side with all three keys.
 * Lines that a side does not have are passed over. */
typedef struct cg2p_line_calls {
   size_t n;
   const uint64_t* functions; /* that call */
   const uint64_t* files;
   const uint64_t* lines;
   const uint64_t* targets; /* that are called; the same number in both sides */
   const uint64_t* counts;
} cg2p_line_calls;

/* A side whose last key is a line, and what else is known of the lines. */
typedef struct cg2p_lines {
   cg2p_side side;
   const cg2p_line_calls* calls; /* NULL: not known */
   /* The path of each file's source, by the file's number; NULL: it is not
    * known, or not in the other side. Files that cannot be read are passed
    * over. */
   const char* const* sources;
   size_t n_sources;
} cg2p_lines;

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
/* Sets to 1, by number, the files whose lines an edit may have moved: those of
 * which rows that are in both sides but for their lines have others. Of other
 * files' lines nothing else need be known. The last keys are a file and a line;
 * rows are in the order of their keys. */
CG2P_API void cg2p_difference_mark_moved(const cg2p_side* old_side,
                                         const cg2p_side* new_side,
                                         uint8_t* moved);
/* The same as cg2p_difference_new, with what else is known of lines. */
CG2P_API cg2p_difference*
cg2p_difference_new_of_lines(const cg2p_lines* old_lines,
                             const cg2p_lines* new_lines,
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
