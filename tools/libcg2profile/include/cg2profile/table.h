/* Tables: lines of a part added up by what one asks for. */
#ifndef CG2PROFILE_TABLE_H
#define CG2PROFILE_TABLE_H

#include "cursor.h"
#include "graph.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What lines can be added up by: bits of cg2p_question.keys, and the names of a
 * table's columns. What lines of a kind do not have is 0. */
enum {
   CG2P_BY_FUNCTION = 1 << 0, /* what the line's function counts as */
   CG2P_BY_FILE = 1 << 1,     /* what its source file counts as */
   CG2P_BY_LINE = 1 << 2,
   CG2P_BY_INSTR = 1 << 3,
   CG2P_BY_BLOCK = 1 << 4,
   CG2P_BY_TARGET = 1 << 5, /* what the function that is called or jumped to
                               counts as */
   CG2P_BY_TARGET_FILE = 1 << 6, /* of jumps */
   CG2P_BY_TARGET_LINE = 1 << 7,
   CG2P_BY_TARGET_INSTR = 1 << 8,
   CG2P_BY_TARGET_BLOCK = 1 << 9,
   CG2P_BY_CONDITION = 1 << 10, /* whether a jump is conditional */
   CG2P_KEYS = 11,              /* how many there are */
};

/* Which rows a table leaves out. */
typedef struct cg2p_limit {
   const uint64_t* least; /* for each event: a row is left out that costs less
                             in all of them */
   size_t few;            /* but none is, if there are no more than so many */
   unsigned rest; /* CG2P_BY_..., of the question's keys: what is left out is
                     added up by these */
} cg2p_limit;

/* What to add up. A map has a number for each function of the part, or for each
 * name of the profile: what it counts as, or CG2P_NONE: its lines are left out.
 * NULL: each counts as itself. */
typedef struct cg2p_question {
   cg2p_line_kind kind;
   unsigned keys; /* CG2P_BY_... */
   const uint32_t* function_as;
   const uint32_t* target_as; /* functions that are called or jumped to */
   const uint32_t* file_as;   /* by number of name */
   int each; /* 1: each line is a row, in the order of the file; 0: all lines
                that have the same keys are one row, in the order of the keys,
                the lowest bit first */
   unsigned of_first; /* CG2P_BY_..., no keys: columns, too, in which a row has
                         what its first line has, in their order */
   const cg2p_limit* limit; /* NULL: no row is left out */
} cg2p_question;

typedef struct cg2p_table cg2p_table;

/* Adds up lines of a part, which needs CG2P_LINES. NULL: *error says why not:
 * a sum is too large for 64 bits, or there is no memory. The caller frees the
 * table. */
CG2P_API cg2p_table* cg2p_table_new(const cg2p_profile* profile,
                                    const cg2p_part* part,
                                    const cg2p_question* question,
                                    cg2p_error* error);
/* Adds up calls as the arcs of the part's graph are: where the question has no
 * function_as or no target_as, functions count as their nodes; costs that
 * cg2p_graph_counts leaves out are not added; and by CG2P_BY_TARGET, no row
 * costs more than the node that is called. The question's kind is CG2P_CALL. */
CG2P_API cg2p_table* cg2p_table_new_of_calls(const cg2p_profile* profile,
                                             const cg2p_part* part,
                                             const cg2p_graph* graph,
                                             const cg2p_question* question,
                                             cg2p_error* error);
CG2P_API size_t cg2p_table_row_count(const cg2p_table* table);
/* The numbers of one key, CG2P_BY_..., one for each row; NULL: the question did
 * not ask for it, or there are no rows. */
CG2P_API const uint64_t* cg2p_table_keys(const cg2p_table* table, unsigned key);
/* How many calls, or how often a jump was taken; NULL if rows are costs. */
CG2P_API const uint64_t* cg2p_table_counts(const cg2p_table* table);
/* How often a jump's instruction ran; NULL if rows are no jumps. */
CG2P_API const uint64_t* cg2p_table_executed(const cg2p_table* table);
/* The costs of the rows, one behind the other. */
CG2P_API const uint64_t* cg2p_table_costs(const cg2p_table* table);
/* What the table leaves out, added up: counts are how many rows that is, costs
 * are those of CG2P_COST, else 0. It is freed with the table. NULL: nothing is
 * left out. */
CG2P_API const cg2p_table* cg2p_table_rest(const cg2p_table* table);
CG2P_API void cg2p_table_free(cg2p_table* table);

#ifdef __cplusplus
}
#endif
#endif
