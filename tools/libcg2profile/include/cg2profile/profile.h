/* A profile: reading it, its parts and names, writing it. */
#ifndef CG2PROFILE_PROFILE_H
#define CG2PROFILE_PROFILE_H

#include "common.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cg2p_profile cg2p_profile;

/* How much of a file is kept. */
typedef enum cg2p_detail {
   CG2P_FUNCTIONS = 0, /* functions and their self costs; no arcs */
   CG2P_SUMS = 1,      /* also the arcs between functions */
   CG2P_LINES = 2,     /* also each position's costs, calls and jumps */
} cg2p_detail;

/* How a file is read; 0: as a whole. */
enum {
   /* A file that was cut off, as by a full disk, is read, too, compressed or
    * not: up to its last whole line, and without a last position that lacks
    * lines. Its last part then has "desc: Partial", and its summary and totals
    * are the sum of what its functions cost. A part that has only a header is
    * left out. The file is malformed if nothing else is left, or if it is wrong
    * somewhere before its end. */
   CG2P_PARTIAL = 1,
   /* A file of paths is read, too, as cg2p_profile_read_paths reads it,
    * whatever the detail. cg2p_part_paths tells whether it was one. */
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
 * so many functions may have the same name. A part's functions are in the order
 * of the file, each behind its only caller, so stacks are exact.
 * cg2p_part_paths says where each path is called. What a path costs itself is
 * at no known place. A sum of profiles of paths is a profile of paths, and
 * cg2p_profile_write writes it as a file of paths. */
CG2P_API cg2p_profile*
cg2p_profile_read_paths(const char* path, unsigned how, cg2p_error* error);

CG2P_API void cg2p_profile_free(cg2p_profile* profile);

/*--- What a profile has -------------------------------------------------*/

typedef struct cg2p_part cg2p_part;

/* What a file says of itself. */
CG2P_API uint64_t cg2p_profile_version(const cg2p_profile* profile);
/* The line where its version stands; 1 if it is not there. */
CG2P_API uint64_t cg2p_profile_version_line(const cg2p_profile* profile);
CG2P_API const char* cg2p_profile_creator(const cg2p_profile* profile);
/* Where the file was cut off, as "behind line 6, at byte 77"; NULL: it was not,
 * or that cannot be known. A profile of cg2 or Callgrind ends in `totals:`, by
 * which a lost end is noticed. */
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

/* How names are found by a text: those that have one of its bytes, that begin
 * with it, or that are it. */
typedef enum cg2p_name_search {
   CG2P_NAME_HAS_BYTE,
   CG2P_NAME_BEGINS,
   CG2P_NAME_IS,
} cg2p_name_search;

/* Writes the numbers of names that are like a text, in their order, to
 * `numbers`, which has room for all names. How many these are. */
CG2P_API size_t cg2p_profile_find_names(const cg2p_profile* profile,
                                        cg2p_name_search how,
                                        const char* text,
                                        size_t length,
                                        uint32_t* numbers);

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
