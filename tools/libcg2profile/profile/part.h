/* What is known of a profile once it is read. */
#ifndef CG2P_PART_H
#define CG2P_PART_H

#include "profile/column.h"
#include "profile/lines.h"
#include "profile/names.h"

#include <string.h>

/* The lines of a function: number + 1 of the first and the last run; 0: it has
 * none. */
typedef struct Runs {
   uint32_t first, last;
} Runs;

/* Arcs that are added one after the other: those of one caller, as a rule, side
 * by side. */
typedef struct ArcRow {
   size_t first;   /* the first of the caller whose arcs are added */
   bool is_mixed;  /* not all arcs of each caller are side by side; then all are
                      in a table */
   bool* calls;    /* whether there are arcs from a function, by its number */
   uint32_t* into; /* the last arc to a function of a caller of many, by the
                      function's number; number + 1, or 0 */
   size_t n_calls, n_into;
} ArcRow;

enum { SUMS = CG2P_TOTALS + 1 };

/* The kind of description that a part has which is not all there. */
#define CG2P_PARTIAL_KIND "Partial"
/* Kinds of descriptions of a part that was taken apart: that it was, and which
 * functions' calls are estimated, with tabs between their names. */
#define CG2P_INLINED_KIND   "Inlined functions"
#define CG2P_ESTIMATED_KIND "Estimated calls"
/* When a run began, as texts of which an earlier one is smaller; and what tells
 * the files that ran from others of their paths, with tabs between them. */
#define CG2P_STARTED_KIND "Started"
#define CG2P_OBJECTS_KIND "Objects"
/* How kinds of descriptions begin that list how often instructions that repeat
 * themselves were executed, and the kind that lists how often loads read what a
 * store had just stored: see sum/countedlist.h. They hold for their part. */
#define CG2P_ROUNDS_KINDS   "Rounds of "
#define CG2P_FORWARDED_KIND "Forwarded"

/* A header line of which a part may have many. */
typedef struct Description {
   const char *kind, *text;
} Description;

typedef struct Skipped {
   const char* name;
   uint64_t count;
} Skipped;

typedef struct Term {
   int64_t factor;
   const char* event;
} Term;

/* An `event:` line; without terms the event is one that is recorded. */
typedef struct EventDefinition {
   const char *name, *long_name;
   Term* terms;
   uint32_t n_terms;
} EventDefinition;

struct cg2p_part {
   /* Numbers of the header; has_... says whether they are there. */
   uint64_t pid, number, thread;
   bool has_pid, has_number, has_thread;
   const char* cmd;
   Description* descriptions;
   size_t n_descriptions, descriptions_room;
   Skipped* skipped;
   size_t n_skipped, skipped_room;
   EventDefinition* definitions;
   size_t n_definitions, definitions_room;
   Column columns[COLUMNS_MAX];
   const char* column_names[COLUMNS_MAX]; /* as written: "addr" or "instr" */
   uint32_t n_columns;
   const char** events;
   uint32_t n_events;
   uint64_t* sums[SUMS]; /* a cost; NULL: not said */
   uint64_t sum_lines[SUMS], events_line, positions_line;
   /* The first use of an id that only an earlier part defines; line 0: none */
   uint64_t borrowed_line;
   const char* borrowed;
   cg2p_function* functions;
   size_t n_functions, functions_room;
   Runs* runs; /* by function; behind n_runs none has lines */
   size_t n_runs;
   /* Until the part is complete: the last function with a name, by that name,
    * number + 1; and all functions whose names are not theirs alone */
   uint32_t* by_name;
   size_t n_by_name;
   Hash namesakes;
   uint64_t* self; /* n_events numbers for each function */
   size_t self_room;
   cg2p_arc* arcs;
   size_t n_arcs, arcs_room;
   ArcRow arc_row;
   Hash arc_table;
   uint64_t* inclusive; /* n_events numbers for each arc */
   size_t inclusive_room;
   Lines lines; /* only with CG2P_LINES */
   /* Each function is a path, of which this says the rest: */
   bool has_paths;
   cg2p_path* paths;
   size_t paths_room;
};
typedef struct cg2p_part Part;

struct cg2p_profile {
   cg2p_detail detail;
   const char* path; /* of the file that it was read from, or the first one */
   uint64_t version, version_line; /* the line where it stands, or 1 */
   const char* creator;
   const char* cut_off; /* where, as cg2p_profile_cut_off says it; or NULL */
   NameStore names;
   Arena texts; /* of headers */
   Part** parts;
   size_t n_parts, parts_room;
};

static inline bool cg2p_part_is_function(const cg2p_function* function,
                                         const cg2p_function* key)
{
   return function->name == key->name && function->file == key->file &&
          function->object == key->object;
}

/* Whether the texts of a kind of description list counts. */
static inline bool cg2p_part_counts(const char* kind)
{
   return !strncmp(kind, CG2P_ROUNDS_KINDS, sizeof CG2P_ROUNDS_KINDS - 1) ||
          !strcmp(kind, CG2P_FORWARDED_KIND);
}

/* Adds a function, even if there is one with this key. */
uint32_t
cg2p_part_add_function(Part* part, Failure* failure, cg2p_function key);
/* The function with this key, which is added if it is new. */
uint32_t
cg2p_part_intern_function(Part* part, Failure* failure, cg2p_function key);
/* The arc from caller to callee, which is added if it is new. */
uint32_t cg2p_part_intern_arc(Part* part,
                              Failure* failure,
                              uint32_t caller,
                              uint32_t callee);

/* The runs of a function, to be changed. */
Runs* cg2p_part_runs(Part* part, Failure* failure, uint32_t function);

/* Whether cg2 wrote the profile: then each of its parts ends with totals, and a
 * part without them is cut off. */
bool cg2p_part_needs_totals(const cg2p_profile* profile);

/* Says that a part is complete: nothing is added any more. */
void cg2p_part_end(Part* part);
void cg2p_part_free(Part* part);

/* The first run of a function, number + 1; 0: it has no lines. */
static inline uint32_t cg2p_part_first_run(const Part* part, uint32_t function)
{
   return function < part->n_runs ? part->runs[function].first : 0;
}

/* Reads the lines of a function. */
static inline LineCursor cg2p_part_lines(const Part* part, uint32_t function)
{
   return cg2p_lines_from(&part->lines, cg2p_part_first_run(part, function));
}

/* Has the lines of a function brought into the processor's cache, step by step,
 * from step 0 on: what a step needs is there some time after the one before. */
enum { LINE_FETCHES = 3 };
void cg2p_part_fetch_lines(const Part* part, uint32_t function, unsigned step);

static inline uint64_t* cg2p_part_self(const Part* part, uint32_t function)
{
   return part->self + (size_t)function * part->n_events;
}

static inline uint64_t* cg2p_part_inclusive(const Part* part, uint32_t arc)
{
   return part->inclusive + (size_t)arc * part->n_events;
}

/* Fails unless a part is of a profile as it was recorded, with addresses. */
void cg2p_part_check_addresses(Failure* failure, const Part* part);

#endif
