/* Reads profiles in the Callgrind format, of any size, and adds them up.
 *
 *    cg2p_error error;
 *    cg2p_profile* profile = cg2p_profile_read("cg2.out", CG2P_SUMS, 0, NULL,
 * &error); if (!profile) puts(error.text);
 *
 * A profile is a file; it has parts (one dump, or one thread of a dump), at
 * least one. A part has events, functions and, if they were asked for, what
 * each function costs by position, its calls and its jumps.
 *
 * Names are numbers: cg2p_profile_name() has the text. Functions are numbers
 * from 0 in the order in which a part mentions them. A cost is one uint64_t for
 * each event of the part, in their order.
 *
 * What a function gives by pointer belongs to what it was asked of, such as a
 * profile, a part of it, a table or a graph, and stays until that is freed. A
 * pointer is NULL only where that is said; what frees something takes NULL. A
 * number that is asked by is below the count of what it numbers, unless
 * something is said of higher ones; that is not checked.
 *
 * A profile may be read by several threads at a time, as nothing that only
 * reads changes it. Nothing is shared between profiles: while one thread adds a
 * profile to a sum, others may read the files that are next. */
#ifndef CG2PROFILE_H
#define CG2PROFILE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CG2P_API __attribute__((visibility("default")))

typedef struct cg2p_profile cg2p_profile;

/* Why an operation failed. */
typedef enum cg2p_error_kind {
   CG2P_MALFORMED = 1, /* the file is no proper profile; `line` says where */
   CG2P_SYSTEM,        /* the system refused; `code` is its errno */
   CG2P_MEMORY,        /* there is no memory left */
   CG2P_CUT_OFF,       /* the file has lost its end; `line` says where, 0: not
                          known. CG2P_PARTIAL reads what there is */
} cg2p_error_kind;

typedef struct cg2p_error {
   cg2p_error_kind kind;
   int code;               /* errno: ENOMEM of CG2P_MEMORY, 0 without one */
   uint64_t line;          /* of the file, from 1; 0: no line is to blame */
   char text[4096 + 1024]; /* "path:line: message", one line, UTF-8 as read */
} cg2p_error;

/* How much of a file is kept. */
typedef enum cg2p_detail {
   CG2P_FUNCTIONS = 0, /* functions and their self costs; no arcs */
   CG2P_SUMS = 1,      /* also the arcs between functions */
   CG2P_LINES = 2,     /* also each position's costs, calls and jumps */
} cg2p_detail;

/* How a file is read; 0: as a whole. */
enum {
   /* Also one that was cut off, by a full disk, a copy that stopped, in the
    * middle of what gzip or zstd has compressed: up to its last whole line and
    * its last position with all of its lines. The part at the end then has
    * "desc: Partial", and states for summary and totals what its functions
    * cost. A part of which there is only a header is left out. A file of which
    * there is no more is malformed, as is one that is wrong in front of its
    * end. */
   CG2P_PARTIAL = 1,
   /* Also a file of paths, as cg2p_profile_read_paths does, whatever the
    * detail; cg2p_part_paths tells which it was. */
   CG2P_PATHS = 2,
};

/* Called about every megabyte with how many bytes of the file are read and how
 * many it has (0: not known, as of a pipe). */
typedef struct cg2p_progress {
   void (*report)(void* data, uint64_t done, uint64_t all);
   void* data;
} cg2p_progress;

/* Reads the file or pipe `path`, "-": standard input; also what gzip or zstd
 * has compressed. `how` is 0, or what of the above is wanted. `progress` may be
 * NULL. NULL if that fails: *error says why. The caller frees the profile. */
CG2P_API cg2p_profile* cg2p_profile_read(const char* path,
                                         cg2p_detail detail,
                                         unsigned how,
                                         const cg2p_progress* progress,
                                         cg2p_error* error);

/* Reads folded stacks, as of perf, lines as "main;f 12", from `path` as
 * cg2p_profile_read does: what they add up to is a profile of one event, which
 * is called `event`, one word. A function inside another activation of itself
 * is its level 2, "f'2". Nobody has counted calls: each arc has one. */
CG2P_API cg2p_profile* cg2p_profile_read_folded(const char* path,
                                                const char* event,
                                                unsigned how,
                                                cg2p_error* error);

/* What a file of paths begins with. */
#define CG2P_PATHS_FORMAT "# cg2 paths"

/* Reads a file of paths, which cg2 writes with --contexts=full, from `path` as
 * cg2p_profile_read does, with its lines. Each path is a function of its own,
 * though many have one name: a part's functions are in the order of the file,
 * each behind the only one that calls it, so its stacks are exact;
 * cg2p_part_paths says more of them. What a path costs itself is at no known
 * place. Sums of such profiles are profiles of paths, too, and
 * cg2p_profile_write writes them as such. */
CG2P_API cg2p_profile*
cg2p_profile_read_paths(const char* path, unsigned how, cg2p_error* error);

CG2P_API void cg2p_profile_free(cg2p_profile* profile);

/*--- The profile and its parts ------------------------------------------*/

typedef struct cg2p_part cg2p_part;

/* What a file says of itself. */
CG2P_API uint64_t cg2p_profile_version(const cg2p_profile* profile);
/* The line where its version stands; 1 if it is not there. */
CG2P_API uint64_t cg2p_profile_version_line(const cg2p_profile* profile);
CG2P_API const char* cg2p_profile_creator(const cg2p_profile* profile);
/* Where the file was cut off, as "behind line 6, at byte 77"; NULL: it was not,
 * or nobody can tell. A profile of cg2 or Callgrind ends in `totals:`. One that
 * was read as a whole has lost what does not show in a line. */
CG2P_API const char* cg2p_profile_cut_off(const cg2p_profile* profile);

CG2P_API size_t cg2p_profile_part_count(const cg2p_profile* profile);
CG2P_API const cg2p_part* cg2p_profile_part(const cg2p_profile* profile,
                                            size_t i);

/* How many names there are; and each, by its number: UTF-8 as written, no byte
 * of it 0, with a 0 behind it that *length does not count. `length` may be
 * NULL. Name 0 is "???", an object or a file that the profile does not know. */
CG2P_API size_t cg2p_profile_name_count(const cg2p_profile* profile);
CG2P_API const char*
cg2p_profile_name(const cg2p_profile* profile, uint32_t number, size_t* length);

/* Copies all names to `texts`, which may be NULL, each with the 0 behind it.
 * How many bytes that is. */
CG2P_API size_t cg2p_profile_copy_names(const cg2p_profile* profile,
                                        char* texts);

/*--- A part's header ----------------------------------------------------*/

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

/*--- The call graph ------------------------------------------------------*/

/* Who calls whom in a part, and inclusive costs.
 *
 * recursion level  activations of a function inside another activation of it,
 *                  which the profile keeps apart: "fib" is the outermost level,
 *                  "fib'2" what runs inside it
 * node             a function with all its levels; or one level, if they are
 *                  to be kept apart
 * inclusive cost   of a node: what is spent while it is on the stack, once
 *                  where it is there several times. This is exact for nodes in
 *                  no cycle, and for nodes of which the profile has two levels
 *                  or more; else it is an upper bound
 * arc              all calls from one node to another
 * cycle            nodes, two or more, that can reach each other by calls. Its
 *                  inclusive cost is what is spent while any of them is on the
 *                  stack
 *
 * Only the library makes one; later versions may have more fields at the end.
 * Costs lie one behind the other, each of n_events numbers. */
typedef struct cg2p_graph {
   uint32_t n_events;
   /* Nodes, in the order in which the part mentions their outermost level; but
    * nodes of which only inner levels are there come last. */
   uint32_t n_functions, n_nodes;
   const uint32_t* node_of;   /* of each function of the part */
   const uint32_t* outermost; /* of each node: a function of the part */
   const uint64_t *self, *inclusive;
   const uint32_t* cycle; /* of each node, from 1; 0: it is in none */
   /* Arcs, those of caller 0 first; caller and callee are nodes. None costs
    * more than its callee. In a cycle only calls by outermost levels cost
    * something, as those by inner ones happen inside. */
   uint32_t n_arcs;
   const cg2p_arc* arcs;
   const uint64_t* arc_costs;
   /* Cycles, in the order of their first nodes; costs of cycle 1 first. */
   uint32_t n_cycles;
   const uint64_t *cycle_self, *cycle_inclusive;
   /* Calls into cycles from outside: the caller is a node, the callee a cycle,
    * from 1. */
   uint32_t n_entries;
   const cg2p_arc* entries;
   const uint64_t* entry_costs;
} cg2p_graph;

/* The graph of a part of the profile, which has to stay until the graph is
 * freed; needs CG2P_SUMS. `keep_levels` 1: each recursion level is a node;
 * 0: each function. NULL: *error says why not: a sum is too large for 64 bits,
 * or there is no memory. The caller frees the graph. */
CG2P_API cg2p_graph* cg2p_graph_new(const cg2p_profile* profile,
                                    const cg2p_part* part,
                                    int keep_levels,
                                    cg2p_error* error);
/* The name of a node, without its level, as cg2p_profile_name has names. */
CG2P_API const char*
cg2p_graph_node_name(const cg2p_graph* graph, uint32_t node, size_t* length);
/* Whether calls of one function by another, both of the part, count for the
 * cost of the arc between their nodes: not if an inner level makes them in a
 * cycle. */
CG2P_API int
cg2p_graph_counts(const cg2p_graph* graph, uint32_t caller, uint32_t callee);
CG2P_API void cg2p_graph_free(cg2p_graph* graph);

/*--- Names as people say them -------------------------------------------*/

/* Names of functions are long in C++ and Rust. What a person says of
 * "void std::__introsort_loop<Order*, long>(Order*, Order*, long)" is
 * "std::__introsort_loop<Order*, long>", and "std::__introsort_loop<...>" if
 * its arguments are longer than 16 bytes.
 *
 * Left out are: return types; parameters; allocators and other template
 * arguments that the standard library adds; "std::__cxx11::" is "std::", and
 * std::basic_string<char> is std::string; [abi:...]; hashes of Rust, whose
 * symbols are said as paths. Recursion levels and chains of callers stay, where
 * each caller is said so. What is not understood as a name of C++ or Rust stays
 * whole: names of C, of other languages, of code made while the program ran.
 *
 * A function without a name, which is its address, is said with its object, as
 * "libgcc_s.so.1+0x14c40".
 *
 * Functions that are shown together are told apart: where two names would be
 * said alike, their parameters are said, too; where that does not help, all is.
 */
typedef struct cg2p_display cg2p_display;

/* A function to say. Both texts end in a 0; object may be NULL: not known. */
typedef struct cg2p_named {
   const char *name, *object;
} cg2p_named;

/* Finds how to say the names of `n` functions that are shown together. NULL:
 * *error says that there is no memory. The caller frees the result, which needs
 * no texts of `functions`. */
CG2P_API cg2p_display*
cg2p_display_new(const cg2p_named* functions, size_t n, cg2p_error* error);
/* What is said of function `i`, with a 0 behind it that *length does not count.
 * It is not longer than the name, but for a function without one and symbols of
 * Rust. `length` may be NULL. */
CG2P_API const char*
cg2p_display_name(const cg2p_display* display, size_t i, size_t* length);
CG2P_API void cg2p_display_free(cg2p_display* display);

/*--- Lines --------------------------------------------------------------*/

/* A place in the program. What the profile does not give is 0. */
typedef struct cg2p_place {
   uint64_t instr; /* address of the instruction */
   uint64_t line;  /* of the source file, from 1 */
   uint64_t block; /* address of the basic block */
} cg2p_place;

/* What is known of a path, a function of a part that cg2p_profile_read_paths
 * has read, beside its function. */
typedef struct cg2p_path {
   uint32_t caller; /* the path above, a lower number; CG2P_NONE: none, as of a
                       thread's first function or a handler's */
   uint32_t file;   /* where it is called: a name, */
   cg2p_place at;   /* and the place in it */
   uint64_t count;  /* how often it was called there, or, without a caller,
                       began */
   uint64_t again; /* how often a deeper call of its function came back to it */
} cg2p_path;

/* What is known of each function of a part, as a path; NULL: its functions are
 * none. Function "(more)" of an object and a file that are not known stands for
 * what had no room. */
CG2P_API const cg2p_path* cg2p_part_paths(const cg2p_part* part);

typedef enum cg2p_line_kind { CG2P_COST, CG2P_CALL, CG2P_JUMP } cg2p_line_kind;

/* What the profile says of one place, in one line or one association. */
typedef struct cg2p_line {
   cg2p_line_kind kind;
   uint32_t file; /* name of the source file */
   cg2p_place at;
   cg2p_place target;       /* of calls and jumps */
   uint32_t function;       /* of calls and jumps: the target's number */
   uint32_t target_file;    /* of jumps: name of the target's source file */
   uint32_t is_conditional; /* of jumps: 0 or 1 */
   uint64_t count;          /* of calls: how many; of jumps: how often taken */
   uint64_t executed;       /* of jumps: how often the instruction ran */
   uint64_t* cost; /* self cost of CG2P_COST, inclusive one of CG2P_CALL */
} cg2p_line;

typedef struct cg2p_cursor cg2p_cursor;

/* Begins to read the lines of function number `function`, in the order of the
 * file; its `cost` stays until the next call. Needs CG2P_LINES. NULL: there is
 * no memory. The caller closes the cursor. */
CG2P_API cg2p_cursor* cg2p_cursor_new(const cg2p_part* part, uint32_t function);
/* The next line; 0: there are no more. */
CG2P_API int cg2p_cursor_next(cg2p_cursor* cursor, cg2p_line* line);
CG2P_API void cg2p_cursor_free(cg2p_cursor* cursor);
/* Writes to `functions`, which has room for as many numbers as
 * cg2p_part_function_count says, the functions that have lines, in the order in
 * which their first lines stand in the file. How many these are; 0 without
 * CG2P_LINES. */
CG2P_API size_t cg2p_part_functions_with_lines(const cg2p_part* part,
                                               uint32_t* functions);

/*--- Tables: lines added up ----------------------------------------------*/

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

#define CG2P_NONE UINT32_MAX

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

/*--- Difference ---------------------------------------------------------*/

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
   /* 1: the last key is a line of source code, the one before it, if there is
    * one, its file. Line 0, which is none, is left out. Lines of a file may
    * stand elsewhere in NEW, in the same order: what rows with the same other
    * keys cost tells where. Of these rows as many are the same line as there
    * can be, where those that cost the same count twice: as lines moved in the
    * whole file, or all by as many lines: 0, or what brings the first or the
    * last lines together. */
   int lines_move;
} cg2p_comparison;

#define CG2P_NO_ROW SIZE_MAX

/* Rows that are the same thing, and differ in costs or count. */
typedef struct cg2p_change {
   size_t old_row; /* CG2P_NO_ROW: it was added */
   size_t new_row; /* CG2P_NO_ROW: it was removed */
} cg2p_change;

typedef struct cg2p_difference cg2p_difference;

/* Compares two sides that have the same keys. Changes are in falling order of
 * effect, which is how much the events that count differ, up or down, at most
 * 2^64 - 1; then of how much the counts differ; then by keys, NEW's if it has
 * the row; then what was added first, and what was removed last. NULL: *error
 * says that there is no memory. The caller frees the difference. */
CG2P_API cg2p_difference* cg2p_difference_new(const cg2p_side* old_side,
                                              const cg2p_side* new_side,
                                              const cg2p_comparison* how,
                                              cg2p_error* error);
CG2P_API size_t cg2p_difference_change_count(const cg2p_difference* difference);
/* The changes, as many as cg2p_difference_change_count says. */
CG2P_API const cg2p_change*
cg2p_difference_changes(const cg2p_difference* difference);
CG2P_API void cg2p_difference_free(cg2p_difference* difference);

/*--- Stacks -------------------------------------------------------------*/

/* Which calls led to the costs of a part.
 *
 * A profile says what a function costs and what the calls between two functions
 * cost, not which calls led to the caller. Where a function has one caller,
 * that one has one, and so on, its stack is known. That is so everywhere in a
 * profile with full call chains (--separate-callers=100), in which a function
 * that is called in two ways is two functions, but where several levels of a
 * recursion call one function.
 *
 * Otherwise cost is apportioned: each way to reach a function, a stack of a
 * caller and its calls, gets the share that its calls have in the cost of all
 * calls of the function, in each event. Shares are doubles. What a function
 * costs itself is divided into whole numbers by largest remainder, from shares
 * in units of 2 to the power of -60, rounded down: the costs of its stacks add
 * up to its own, whatever the shares are. Equal remainders are served in the
 * order in which the part mentions the callers.
 *
 * Functions that call each other in a circle are each shown once for each way
 * into the circle, below where it is entered, by the most expensive calls. So
 * no stack goes round. Calls of a recursion level by itself are left out
 * likewise.
 *
 * A function in the middle of which threads begin, such as `clone`, is called
 * and is a root, too, in one function of the profile. Who calls it gets the
 * call back at once: all that it calls, it calls as a root. It is taken so if
 * its name is one that is known and if no event's calls cost more than its self
 * cost.
 *
 * A function of a hundred callers, which have a hundred each, has as many
 * stacks as nobody looks at. Ways that cost less than a share of the total
 * become one, below the function "(small shares)", if there are two of them or
 * more. */
typedef struct cg2p_stacks cg2p_stacks;

/* A function on top of its callers. */
typedef struct cg2p_stack {
   uint32_t function;  /* the part's number; the number of functions stands for
                          small shares */
   uint32_t caller;    /* a stack, which comes before; CG2P_NONE: none */
   uint32_t site_file; /* name of the file where the caller calls; CG2P_NONE:
                          stacks are not by line, or it is no single place */
   uint32_t depth;     /* how many callers there are */
   uint64_t site_line; /* of that file */
} cg2p_stack;

/* Finds the stacks of a part. `smallest` is the share of the total, 0 to 1,
 * below which ways become one; 0: all are shown. With `by_line`, 1 or 0, costs
 * and calls are kept apart by source line, which needs CG2P_LINES. NULL: *error
 * says why not. The caller frees the stacks, and before that keeps the
 * profile. */
CG2P_API cg2p_stacks* cg2p_stacks_new(const cg2p_profile* profile,
                                      const cg2p_part* part,
                                      double smallest,
                                      int by_line,
                                      cg2p_error* error);
CG2P_API void cg2p_stacks_free(cg2p_stacks* stacks);

/* The stacks, as many as cg2p_stacks_count says: each behind its caller's, the
 * most expensive first, by the first event that differs. And what they cost
 * with all that they call, one cost behind the other; a stack itself costs what
 * those that it is the caller of leave of that. */
CG2P_API size_t cg2p_stacks_count(const cg2p_stacks* stacks);
CG2P_API const cg2p_stack* cg2p_stacks_array(const cg2p_stacks* stacks);
CG2P_API const uint64_t* cg2p_stacks_inclusive_costs(const cg2p_stacks* stacks);

/* Writes to `numbers`, which may be NULL, those of the stacks that have, with
 * all that they call, at least a share (0 to 1) of the total of an event, and
 * of that at least 1. How many these are; a stack's caller is among them if the
 * stack is. */
CG2P_API size_t cg2p_stacks_above(const cg2p_stacks* stacks,
                                  double share,
                                  uint32_t* numbers);

/* A function's name without recursion level and call chain, as
 * cg2p_profile_name gives names. */
CG2P_API const char* cg2p_stacks_function_name(const cg2p_stacks* stacks,
                                               uint32_t function,
                                               size_t* length);
/* How much of the first event is in functions whose costs in single stacks are
 * not known for certain. */
CG2P_API uint64_t cg2p_stacks_apportioned(const cg2p_stacks* stacks);

/* What the names of functions say of their callers, as --separate-callers has
 * them written. */
typedef enum cg2p_chains {
   CG2P_NO_CHAINS,    /* nothing */
   CG2P_SHORT_CHAINS, /* something; longer chains would make more certain */
   CG2P_FULL_CHAINS,  /* longer chains would say no more: what is apportioned is
                         called from several levels of a recursion */
} cg2p_chains;

CG2P_API cg2p_chains cg2p_stacks_chains(const cg2p_stacks* stacks);

/* How many places a function has costs at, by file and line; where number
 * `place` of them is: the name of the file, and in *line the line. Stacks that
 * are not by line have one for each function: its file, line 0. */
CG2P_API size_t cg2p_stacks_place_count(const cg2p_stacks* stacks,
                                        uint32_t function);
CG2P_API uint32_t cg2p_stacks_place(const cg2p_stacks* stacks,
                                    uint32_t function,
                                    size_t place,
                                    uint64_t* line);
/* Writes to `cost`, which has a number for each event, the self cost of a stack
 * at one place of its function. 0: that is nothing. */
CG2P_API int cg2p_stacks_place_cost(const cg2p_stacks* stacks,
                                    uint32_t stack,
                                    size_t place,
                                    uint64_t* cost);

/* What stacks can be written as. */
typedef enum cg2p_stack_format {
   CG2P_FOLDED,     /* lines "main;f;g 123" of one event, for flamegraph.pl */
   CG2P_SPEEDSCOPE, /* JSON */
   CG2P_CHROME,     /* JSON, a trace for Perfetto; costs are microseconds */
   CG2P_PPROF,      /* profile.proto, always with gzip; by source line if the
                       stacks are */
   CG2P_FIREFOX,    /* JSON, a processed profile; by source line if the stacks
                       are */
} cg2p_stack_format;

typedef struct cg2p_export {
   cg2p_stack_format format;
   uint32_t n_events;      /* at least one; CG2P_FOLDED takes the first */
   const uint32_t* events; /* numbers of the part's */
   const char* exporter;   /* what the file says has made it */
   int full_names; /* 1: names are as in the profile, without level and chain;
                      0: as cg2p_display_new says these, those of all functions
                      together. CG2P_PPROF has both */
} cg2p_export;

/* Writes the file `path`, which appears when it is complete; "-": standard
 * output; with gzip if the name ends in ".gz". What is no UTF-8 in names
 * becomes U+FFFD but in folded stacks, which have names as they are. 1: it is
 * written; 0: *error says why not. */
CG2P_API int cg2p_stacks_write(const cg2p_stacks* stacks,
                               const cg2p_export* how,
                               const char* path,
                               cg2p_error* error);

/*--- Paths as a tree ----------------------------------------------------*/

/* What paths cost, of one run or of two that are compared, side 0 and side 1.
 *
 *    cg2p_pathtree* tree = cg2p_pathtree_new(n_events, &error);
 *    cg2p_pathtree_add(tree, profile, cg2p_profile_part(profile, 0), NULL, 0,
 *                      &error);
 *    cg2p_pathtree_complete(tree, &error);
 *    ...cg2p_pathtree_branches(tree)
 *
 * A branch is all calls of one function on one path: those from several places
 * of its caller are one. Its inclusive cost is what it costs itself and what
 * the branches below it cost. */
typedef struct cg2p_pathtree cg2p_pathtree;

typedef struct cg2p_branch {
   uint32_t caller;         /* a branch, which comes before; CG2P_NONE: none */
   uint32_t part;           /* in the order in which parts were added */
   uint32_t path;           /* its first one there: a function of that part */
   uint32_t n;              /* how many branches it and all below it are */
   uint64_t calls[2];       /* how often it was called or, without a caller,
                               began, on each side */
   uint64_t calls_below[2]; /* how often it called */
} cg2p_branch;

/* Begins a tree of parts with so many events. NULL: *error says why not. The
 * caller frees the tree. */
CG2P_API cg2p_pathtree* cg2p_pathtree_new(uint32_t n_events, cg2p_error* error);
/* Adds a part that cg2p_profile_read_paths has read, which is not needed any
 * more, to a side. Functions are one if object, file and name are; with
 * `name_as`, which has a number for each name of the profile, if the numbers of
 * their names are, and all parts need numbers then. 1: it is added; 0: *error
 * says why not, and the tree can only be freed. */
CG2P_API int cg2p_pathtree_add(cg2p_pathtree* tree,
                               const cg2p_profile* profile,
                               const cg2p_part* part,
                               const uint32_t* name_as,
                               int side,
                               cg2p_error* error);
/* Adds inclusive costs up. After that, nothing can be added; before it nothing
 * can be asked. 1: done; 0 as of cg2p_pathtree_add. */
CG2P_API int cg2p_pathtree_complete(cg2p_pathtree* tree, cg2p_error* error);
CG2P_API void cg2p_pathtree_free(cg2p_pathtree* tree);

/* The branches, as many as cg2p_pathtree_branch_count says; and what each costs
 * on a side, one cost behind the other. */
CG2P_API size_t cg2p_pathtree_branch_count(const cg2p_pathtree* tree);
CG2P_API const cg2p_branch* cg2p_pathtree_branches(const cg2p_pathtree* tree);
CG2P_API const uint64_t* cg2p_pathtree_self_costs(const cg2p_pathtree* tree,
                                                  int side);
CG2P_API const uint64_t*
cg2p_pathtree_inclusive_costs(const cg2p_pathtree* tree, int side);

/* Writes to `numbers`, which may be NULL, those of the branches of which the
 * inclusive cost is at least a share (0 to 1) of the total of an event, and not
 * 0, on one of the sides: those that call them are among them. How many. */
CG2P_API size_t cg2p_pathtree_above(const cg2p_pathtree* tree,
                                    double share,
                                    uint32_t* numbers);

/* What a branch weighs is its own cost on side 0 in an event that `factors`
 * make of those of the tree, and 0 if that is less.
 *
 * Writes all branches to `numbers`, the heaviest first. 1: done; 0: *error says
 * that there is no memory. */
CG2P_API int cg2p_pathtree_heaviest(const cg2p_pathtree* tree,
                                    const int64_t* factors,
                                    uint32_t* numbers,
                                    cg2p_error* error);
/* Writes to `numbers`, which has room for all, a tree of branches that holds
 * the share (0 to 1) of the weight, each behind its caller, and in *n how many
 * these are. Such trees grow as `share` does, and no other of as many branches
 * holds more where the last ones that were put to it are whole: they are as
 * dense as none that are left. 1: done; 0: *error says why not. */
CG2P_API int cg2p_pathtree_densest(const cg2p_pathtree* tree,
                                   const int64_t* factors,
                                   double share,
                                   uint32_t* numbers,
                                   size_t* n,
                                   cg2p_error* error);

/*--- Adding profiles up -------------------------------------------------*/

typedef struct cg2p_merge cg2p_merge;

/* Begins a sum of profiles. NULL: there is no memory. The caller ends it with
 * cg2p_merge_end or cg2p_merge_free. */
CG2P_API cg2p_merge* cg2p_merge_new(void);
/* Adds all parts of a profile, which is not needed any more, to the sum's last
 * part. Unless that was begun with cg2p_merge_begin_part, all profiles need the
 * same version, events and positions, of headers remains what all parts say,
 * and "desc: Merged profiles" says how many profiles there were, "desc:
 * Partial" how many of them were cut off. The file that such a sum is written
 * to is the same for any order and grouping of the profiles. 1: it is added; 0:
 * *error says why not, and the sum can only be freed. */
CG2P_API int cg2p_merge_add(cg2p_merge* merge,
                            const cg2p_profile* profile,
                            cg2p_error* error);
/* The sum. In a part costs, calls and jumps of one place are added up. It has
 * lines if all profiles were read with CG2P_LINES. The merge is freed; the
 * caller frees the profile. NULL: *error says why not. */
CG2P_API cg2p_profile* cg2p_merge_end(cg2p_merge* merge, cg2p_error* error);
CG2P_API void cg2p_merge_free(cg2p_merge* merge);

/* Columns of positions. */
enum { CG2P_INSTR = 1, CG2P_LINE = 2, CG2P_BLOCK = 4 };

/* What a part of a sum has; 0 or NULL: what the part has that it is like. */
typedef struct cg2p_form {
   const char* const* events;
   uint32_t n_events;
   unsigned columns; /* CG2P_INSTR, ... of positions */
   int leaves_jumps; /* 1: it has no jumps */
} cg2p_form;

/* Begins another part of the sum, which cg2p_merge_add_part adds to. Its header
 * is that of part number `like` of `profile`, but that skipped functions are
 * those of the parts that are added; that with several of them it has no number
 * and no thread; and that it has no `event:` lines if `form` has events.
 * Summary and totals are what all parts that are added say, added up; if `form`
 * has events, what functions cost. `form` may be NULL. 1: it has begun;
 * otherwise as cg2p_merge_add. */
CG2P_API int cg2p_merge_begin_part(cg2p_merge* merge,
                                   const cg2p_profile* profile,
                                   size_t like,
                                   const cg2p_form* form,
                                   cg2p_error* error);

#define CG2P_NO_EVENT UINT32_MAX

/* What becomes of a part's names and events when it is added; NULL: they stay.
 * Functions, calls and jumps are one in the sum if their names there are. */
typedef struct cg2p_mapping {
   const char* const* texts; /* new names */
   /* For each function of the part, its names as numbers of `texts`. */
   const cg2p_function* functions;
   /* For each name of the profile, by its number, that of the text which it
    * becomes where it is a line's source file. */
   const uint32_t* files;
   /* For each event of the part the number of the sum's event that it is added
    * to, or CG2P_NO_EVENT. */
   const uint32_t* events;
} cg2p_mapping;

/* Adds part number `i` of a profile to the last part of the sum. Without
 * `mapping->events` it needs the same events; unless that part's form has
 * columns, the same positions. `mapping` may be NULL. The result is that of
 * cg2p_merge_add. */
CG2P_API int cg2p_merge_add_part(cg2p_merge* merge,
                                 const cg2p_profile* profile,
                                 size_t i,
                                 const cg2p_mapping* mapping,
                                 cg2p_error* error);

/*--- Inlined functions --------------------------------------------------*/

/* A compiler puts small functions into those that call them: their
 * instructions then count for the caller. Debug information says whose each
 * instruction was. By that a profile with addresses is taken apart: inlined
 * functions become functions, one with the copy that is called if there is
 * one, and are called from where the source calls them.
 *
 *    cg2p_inlining* inlining = cg2p_inlining_new(profile, &error);
 *    for (size_t i = 0; i < cg2p_inlining_object_count(inlining); i++)
 *       ...cg2p_inlining_add(inlining, i, what debug information says)
 *    cg2p_profile* made = cg2p_inlining_end(inlining, &error);
 *
 * An instance is one inlined copy of a function. What it costs itself are its
 * instructions that are in no instance inside it; its inclusive cost also has
 * these, and the calls made from its instructions. All costs add up as before.
 *
 * How often it was entered is not counted by anybody. The line table says
 * where a function begins: by marks (GCC), else by the first of the lines that
 * an instance has. Each block of instructions where it begins counts as often
 * as it ran, less what came there from the instance itself, as in a loop; if it
 * begins in none that ran, what came in from outside counts. This needs jumps
 * (--collect-jumps=yes). A mark counts where there is no instruction, too.
 *
 * It is an estimate without jumps; where something came in by another way, too;
 * where a block has an instance several times, as that of an unrolled loop;
 * where there are several marks, or, without marks, if control came to its
 * code another number of times, went on from one beginning to another, or if
 * instances of a function begin on different lines; where its code is packed;
 * and where the code of no instance of a function branches or calls, as
 * compilers leave out such code without a trace. Names of functions with such
 * calls are in "desc: Estimated calls" of the part, with tabs between them, and
 * in that of a sum if any of its parts has them. An instance without an
 * instruction and without a mark is not there.
 */

/* A function that was inlined somewhere. */
typedef struct cg2p_inlined {
   const char* name; /* as the profile would have it */
   const char* file; /* that it stands in; "": not known */
   uint64_t address; /* where the copy that is called begins; 0: none */
   uint32_t line;    /* where it begins, 0: not known */
} cg2p_inlined;

typedef struct cg2p_instance {
   uint32_t outer;        /* the instance that it is in, which comes before it;
                             CG2P_NONE: none */
   uint32_t function;     /* a number of cg2p_inlines.functions */
   const char* call_file; /* that the call stands in; "": not known */
   uint32_t call_line;    /* 0: not known */
   uint32_t has_marks;    /* 1: the compiler marks where functions begin */
   uint32_t is_rest;      /* 1: it goes on with the call that it is in */
} cg2p_instance;

/* An instruction. */
typedef struct cg2p_instruction {
   uint32_t instance;     /* the innermost that it is in; CG2P_NONE: none */
   uint32_t line, column; /* line 0: it belongs to no statement */
   uint32_t is_foreign;   /* 1: the line is of another file than the function */
   uint32_t is_packed;    /* 1: it computes several values at once */
} cg2p_instruction;

/* Where a function begins that was inlined. */
typedef struct cg2p_mark {
   uint64_t address;
   uint32_t function; /* a number of cg2p_inlines.functions */
   uint32_t instance; /* that has no instruction, and is entered in front of the
                         one at the address; CG2P_NONE: one that has some */
} cg2p_mark;

/* What debug information says of an object. */
typedef struct cg2p_inlines {
   size_t n_functions, n_instances, n_marks;
   const cg2p_inlined* functions;
   const cg2p_instance* instances;
   const cg2p_instruction* instructions; /* one for each address */
   const cg2p_mark* marks;               /* in the order of their addresses */
} cg2p_inlines;

typedef struct cg2p_inlining cg2p_inlining;

/* Begins to take a profile apart, which has to stay until that ends; it needs
 * CG2P_LINES, addresses and the event Ir. NULL: *error says why not. */
CG2P_API cg2p_inlining* cg2p_inlining_new(const cg2p_profile* profile,
                                          cg2p_error* error);
/* How many objects have instructions in the profile. */
CG2P_API size_t cg2p_inlining_object_count(const cg2p_inlining* inlining);
/* The name of one, a number. */
CG2P_API uint32_t cg2p_inlining_object_name(const cg2p_inlining* inlining,
                                            size_t object);
/* The addresses of an object's instructions that ran, rising; *n: how many. */
CG2P_API const uint64_t* cg2p_inlining_addresses(const cg2p_inlining* inlining,
                                                 size_t object,
                                                 size_t* n);
/* Says what debug information says of an object, which has to stay until this
 * ends. Instances of objects of which nothing is said stay in their callers. */
CG2P_API void cg2p_inlining_add(cg2p_inlining* inlining,
                                size_t object,
                                const cg2p_inlines* inlines);
/* The profile that was taken apart, with the parts and headers of the first
 * one. The inlining is freed; the caller frees the profile. NULL: *error says
 * why not. */
CG2P_API cg2p_profile* cg2p_inlining_end(cg2p_inlining* inlining,
                                         cg2p_error* error);
CG2P_API void cg2p_inlining_free(cg2p_inlining* inlining);

/*--- Writing ------------------------------------------------------------*/

/* How a profile is written; none of these: as short as the format allows. */
enum {
   CG2P_FULL_NAMES = 1,     /* each name in full, without ids */
   CG2P_FULL_POSITIONS = 2, /* each position in full */
};

/* Writes the file `path`, which appears when it is complete (a device or a pipe
 * is written to as it is); "-": standard output; with gzip if the name ends in
 * ".gz". Equal profiles become equal files. A profile of paths becomes a file
 * of paths, whatever the form. Needs CG2P_LINES. 1: it is written; 0: *error
 * says why not. */
CG2P_API int cg2p_profile_write(const cg2p_profile* profile,
                                const char* path,
                                unsigned form,
                                cg2p_error* error);

#ifdef __cplusplus
}
#endif
#endif
