/* Many profiles added up into one. */
#ifndef CG2PROFILE_MERGE_H
#define CG2PROFILE_MERGE_H

#include "part.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cg2p_merge cg2p_merge;

/* Begins a sum of profiles. NULL: there is no memory. The caller ends it with
 * cg2p_merge_end or cg2p_merge_free. */
CG2P_API cg2p_merge* cg2p_merge_new(void);
/* Adds all parts of a profile to the sum's last part; the profile is not needed
 * afterwards. Unless that part was begun with cg2p_merge_begin_part, all
 * profiles need the same version, events and positions; its header has what the
 * headers of all parts have in common, "desc: Merged profiles" with the number
 * of profiles, and "desc: Partial" with the number of those that were cut off.
 * Such a sum is written as the same file in whatever order and groups profiles
 * were added. 1: it is added; 0: *error says why not, and the sum can only be
 * freed. */
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
 * is that of part number `like` of `profile`, with these differences: skipped
 * functions are those of the parts that are added; if several parts are added,
 * it has no part number and no thread; if `form` has events, it has no `event:`
 * lines. Summary and totals are those of the added parts, added up; if `form`
 * has events, they are what the functions cost. `form` may be NULL. 1: it has
 * begun; 0: as of cg2p_merge_add. */
CG2P_API int cg2p_merge_begin_part(cg2p_merge* merge,
                                   const cg2p_profile* profile,
                                   size_t like,
                                   const cg2p_form* form,
                                   cg2p_error* error);

#define CG2P_NO_EVENT UINT32_MAX

/* What becomes of a part's names and events when it is added; NULL: they stay.
 * Functions, calls and jumps that have the same names in the sum are added up.
 */
typedef struct cg2p_mapping {
   const char* const* texts; /* new names */
   /* For each function of the part, its names as numbers of `texts`. */
   const cg2p_function* functions;
   /* For each name of the profile: the number of the text that replaces it
    * where it is the source file of a line. */
   const uint32_t* files;
   /* For each event of the part: the number of the sum's event that it is added
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

#ifdef __cplusplus
}
#endif
#endif
