/* Functions and files of two profiles by common numbers: those that have the
 * same names, or are given the same, have the same number in both. */
#ifndef CG2PROFILE_MATCHING_H
#define CG2PROFILE_MATCHING_H

#include "graph.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A side: a graph, of the part of a profile; and other names than the
 * profile's, of files and objects by the number of their names, and of nodes.
 * NULL, instead of a name or of all: they keep theirs, which for a node is that
 * without a level. All stays the caller's, and is not needed afterwards. */
typedef struct cg2p_matched {
   const cg2p_profile* profile;
   const cg2p_part* part;
   const cg2p_graph* graph;
   const char* const* files;
   const char* const* nodes;
} cg2p_matched;

typedef struct cg2p_matching cg2p_matching;

enum { CG2P_IN_OLD = 1, CG2P_IN_NEW = 2 };

/* Numbers are in the order of the bytes of names, functions' in that of object,
 * file and name. NULL: *error says that there is no memory. The caller frees
 * the result. */
CG2P_API cg2p_matching* cg2p_matching_new(const cg2p_matched* old_side,
                                          const cg2p_matched* new_side,
                                          cg2p_error* error);
/* The same of `n` graphs, each in OLD or in NEW as `in` says; sides are then
 * their numbers. */
CG2P_API cg2p_matching* cg2p_matching_new_of_graphs(const cg2p_matched* graphs,
                                                    const uint8_t* in,
                                                    size_t n,
                                                    cg2p_error* error);
/* How many functions there are in either; and all of them by number, with the
 * numbers of their names. */
CG2P_API size_t cg2p_matching_count(const cg2p_matching* matching);
CG2P_API const cg2p_function*
cg2p_matching_functions(const cg2p_matching* matching);
/* Where each function is: a sum of CG2P_IN_... */
CG2P_API const uint8_t* cg2p_matching_sides(const cg2p_matching* matching);
/* The function of each node of OLD (side 0) or NEW (1). */
CG2P_API const uint64_t* cg2p_matching_nodes(const cg2p_matching* matching,
                                             int side);
/* The number of each name of a profile, as a file's. */
CG2P_API const uint32_t* cg2p_matching_files(const cg2p_matching* matching,
                                             int side);
/* A name by its number, as cg2p_profile_name has those of a profile. */
CG2P_API const char* cg2p_matching_name(const cg2p_matching* matching,
                                        uint32_t number,
                                        size_t* length);
/* Writes all names, each with a 0 behind it, in the order of their numbers, to
 * `texts`, if that is not NULL. How many bytes that is. */
CG2P_API size_t cg2p_matching_copy_names(const cg2p_matching* matching,
                                         char* texts);
CG2P_API void cg2p_matching_free(cg2p_matching* matching);

#ifdef __cplusplus
}
#endif
#endif
