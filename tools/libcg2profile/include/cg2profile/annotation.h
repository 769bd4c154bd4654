/* Machine code with what it costs beside it, as text.
 *
 *    cg2p_annotation* annotation = cg2p_annotation_new(&cells, &error);
 *    ... for each run of instructions ...
 *    if (cg2p_annotation_write(annotation, listing, &code, 8, &error))
 *       text = cg2p_annotation_text(annotation, &length);
 */
#ifndef CG2PROFILE_ANNOTATION_H
#define CG2PROFILE_ANNOTATION_H

#include "listing.h"
#include "profile.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cg2p_annotation cg2p_annotation;

/* What is shown of costs, by their numbers. Cost 0 is that of instructions that
 * cost nothing. Texts end in a 0. */
typedef struct cg2p_cells {
   size_t n_costs, n_columns;
   const char* const* texts;   /* of each cost, for each column: a number, and
                                  what stands behind it */
   const char* const* remarks; /* of each cost: what stands behind an
                                  instruction, and what behind one that repeats
                                  itself, such as `rep stos`, where it jumps */
   const size_t* headings;     /* of each column: characters of its heading */
   size_t behind; /* characters that are kept for what stands behind a number */
} cg2p_cells;

/* Instructions by their rising addresses, and the jumps and calls from there.
 * Those from elsewhere are passed over. */
typedef struct cg2p_annotated {
   const cg2p_profile* profile; /* has the names of files */
   size_t n;                    /* of instructions, at least one */
   const uint64_t *addresses, *files, *lines;
   const uint32_t* costs; /* by number */
   size_t n_jumps;
   const uint64_t *jump_addresses, *are_conditional, *taken, *executed;
   size_t n_calls;
   const uint64_t* call_addresses; /* rising, several may be equal */
   const uint32_t* call_costs;
   const char* const* call_texts;
} cg2p_annotated;

/* NULL: *error says that there is no memory. The caller frees the result, and
 * keeps the cells as long. */
CG2P_API cg2p_annotation* cg2p_annotation_new(const cg2p_cells* cells,
                                              cg2p_error* error);
/* Writes the lines of instructions, and of up to `around` beside each, as
 * cg2p_listing_show has them. Each has the cells of its cost in columns:
 *
 *    1,234 ( 0.12%)  40112f: jne 401126  (jumps 7 of 1,234)
 *
 * Above an instruction of another source line than the one before is
 * "FILE:LINE", below one that calls the cells and the text of each call. What
 * the listing has no instruction for is at the end. Returns 0 if there is no
 * memory. */
CG2P_API int cg2p_annotation_write(cg2p_annotation* annotation,
                                   cg2p_listing* listing,
                                   const cg2p_annotated* code,
                                   size_t around,
                                   cg2p_error* error);

/* What was written last, each line with a line feed. */
CG2P_API const char* cg2p_annotation_text(const cg2p_annotation* annotation,
                                          size_t* length);
/* The characters of the longest number of each column there. */
CG2P_API const size_t*
cg2p_annotation_digits(const cg2p_annotation* annotation);
/* How many of its instructions the listing had none for. */
CG2P_API size_t cg2p_annotation_unlisted(const cg2p_annotation* annotation);
/* Of each line there, `*n` of them, the cost; UINT32_MAX: it has none. */
CG2P_API const uint32_t*
cg2p_annotation_costs(const cg2p_annotation* annotation, size_t* n);

CG2P_API void cg2p_annotation_free(cg2p_annotation* annotation);

#ifdef __cplusplus
}
#endif
#endif
