/* A part of a profile: its header, its functions and the arcs between them. */
#ifndef CG2PROFILE_PART_H
#define CG2PROFILE_PART_H

#include "profile.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*--- The header ---------------------------------------------------------*/

/* A number that a header may not have. */
typedef enum cg2p_header_number {
   CG2P_PID,
   CG2P_PART,
   CG2P_THREAD,
} cg2p_header_number;

/* 1, and the number in *value; 0: the header does not say it. */
CG2P_API int cg2p_part_header_number(const cg2p_part* part,
                                     cg2p_header_number which,
                                     uint64_t* value);
/* The command line; "": not said. */
CG2P_API const char* cg2p_part_command(const cg2p_part* part);

/* Line number `i`, from 0, of those "desc: kind: text"; 0: there are no more.
 */
CG2P_API int cg2p_part_description(const cg2p_part* part,
                                   size_t i,
                                   const char** kind,
                                   const char** text);
/* Function number `i` that was left out, and how often it ran. */
CG2P_API int cg2p_part_skipped(const cg2p_part* part,
                               size_t i,
                               const char** name,
                               uint64_t* count);

/* The name of column `i` of positions: "instr", "addr", "bb" or "line"; NULL:
 * there are no more. */
CG2P_API const char* cg2p_part_column(const cg2p_part* part, size_t i);

CG2P_API uint32_t cg2p_part_event_count(const cg2p_part* part);
CG2P_API const char* cg2p_part_event(const cg2p_part* part, uint32_t i);

/* An `event:` line: a long name for an event, or an event made of others. */
typedef struct cg2p_definition {
   const char *name, *long_name; /* long_name may be "" */
   uint32_t n_terms;             /* 0: an event that is recorded */
} cg2p_definition;

/* Definition number `i`; 0: there are no more. */
CG2P_API int
cg2p_part_definition(const cg2p_part* part, size_t i, cg2p_definition* found);
/* Term number `term` of definition number `i`: so many times that event. */
CG2P_API int64_t cg2p_part_term(const cg2p_part* part,
                                size_t i,
                                uint32_t term,
                                const char** event);

typedef enum cg2p_sum { CG2P_SUMMARY, CG2P_TOTALS } cg2p_sum;

/* The cost that the file states, and in *line where; NULL: it does not. */
CG2P_API const uint64_t*
cg2p_part_stated_cost(const cg2p_part* part, cg2p_sum which, uint64_t* line);
/* Where "events:" stands; and "positions:", 0: nowhere. */
CG2P_API uint64_t cg2p_part_events_line(const cg2p_part* part);
CG2P_API uint64_t cg2p_part_positions_line(const cg2p_part* part);
/* The first use of an id that only an earlier part defines, as "file (3)", and
 * in *line where; NULL: there is none. */
CG2P_API const char* cg2p_part_borrowed_id(const cg2p_part* part,
                                           uint64_t* line);

/*--- Functions and arcs -------------------------------------------------*/

/* What identifies a function: numbers of names. */
typedef struct cg2p_function {
   uint32_t object, file, name;
} cg2p_function;

/* All calls of one function by another. */
typedef struct cg2p_arc {
   uint32_t caller, callee; /* functions */
   uint64_t count;
} cg2p_arc;

CG2P_API size_t cg2p_part_function_count(const cg2p_part* part);
/* The functions, as many as cg2p_part_function_count says; and their self
 * costs, one behind the other. */
CG2P_API const cg2p_function* cg2p_part_functions(const cg2p_part* part);
CG2P_API const uint64_t* cg2p_part_self_costs(const cg2p_part* part);

/* How many arcs there are; with CG2P_FUNCTIONS none is kept. */
CG2P_API size_t cg2p_part_arc_count(const cg2p_part* part);
/* The arcs, as many as cg2p_part_arc_count says; and their inclusive costs, one
 * behind the other. */
CG2P_API const cg2p_arc* cg2p_part_arcs(const cg2p_part* part);
CG2P_API const uint64_t* cg2p_part_arc_costs(const cg2p_part* part);

#ifdef __cplusplus
}
#endif
#endif
