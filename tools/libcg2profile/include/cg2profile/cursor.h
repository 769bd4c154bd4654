/* A function's lines: what each place in it costs, calls and jumps to. And
 * where paths of calls are called. */
#ifndef CG2PROFILE_CURSOR_H
#define CG2PROFILE_CURSOR_H

#include "profile.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A place in the program. What the profile does not give is 0. */
typedef struct cg2p_place {
   uint64_t instr; /* address of the instruction */
   uint64_t line;  /* of the source file, from 1 */
   uint64_t block; /* address of the basic block */
} cg2p_place;

/* What is known of a path, which is a function of a part that
 * cg2p_profile_read_paths has read. */
typedef struct cg2p_path {
   uint32_t caller; /* the path above, a lower number; CG2P_NONE: none, as of a
                       thread's first function or a handler's */
   uint32_t file;   /* where it is called: a name, */
   cg2p_place at;   /* and the place in it */
   uint64_t count;  /* how often it was called there, or, without a caller,
                       began */
   uint64_t again; /* how often a deeper call of its function came back to it */
} cg2p_path;

/* The paths of a part, one for each of its functions; NULL: its functions are
 * no paths. A function "(more)" without a known object and file stands for
 * paths that had no room. */
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

/* Reads the lines of one function. */
typedef struct cg2p_cursor cg2p_cursor;

/* Begins to read the lines of function number `function`, in the order of the
 * file. The `cost` of a line stays until the next call. Needs CG2P_LINES. NULL:
 * there is no memory. The caller frees the cursor. */
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

#ifdef __cplusplus
}
#endif
#endif
