/* Machine code as objdump writes it: read, and listed with arrows of jumps.
 *
 *    cg2p_listing* listing = cg2p_listing_new(spans, n, &error);
 *    while (... more of what "objdump -d --no-show-raw-insn" prints ...)
 *       cg2p_listing_add(listing, lines, length, &error);
 *    cg2p_listing_end(listing, &error);
 *    text = cg2p_listing_show(listing, addresses, n, 8, places, &length,
 * &error);
 *
 * The text of an instruction has single blanks between its words. A target is
 * said without 0x, as binutils does, also where LLVM says it; and without a
 * symbol, where that is one and some bytes: the jump leads inside a function or
 * to one without a symbol. */
#ifndef CG2PROFILE_LISTING_H
#define CG2PROFILE_LISTING_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cg2p_listing cg2p_listing;

/* A piece of code: the addresses of its first instruction and of its last. */
typedef struct cg2p_span {
   uint64_t first, last;
} cg2p_span;

/* A listing of the instructions in `n` spans, which rise and do not overlap,
 * and of no others. NULL: *error says that there is no memory. The caller frees
 * it. */
CG2P_API cg2p_listing*
cg2p_listing_new(const cg2p_span* spans, size_t n, cg2p_error* error);

/* What a symbol is called in the source, a text to be given to free(); NULL:
 * that is the symbol's name. */
typedef char* cg2p_demangler(const char* symbol);

/* Has symbols in what is read from now on called so. Each is asked for once. */
CG2P_API void cg2p_listing_demangle(cg2p_listing* listing,
                                    cg2p_demangler* demangle);

/* Reads `length` bytes of objdump's text, which end with a line. Returns 0 if
 * there is no memory, which *error says. */
CG2P_API int cg2p_listing_add(cg2p_listing* listing,
                              const char* lines,
                              size_t length,
                              cg2p_error* error);
/* Puts the instructions into the order of their addresses: to be called when
 * all is read, before the functions below. Returns 0 as cg2p_listing_add does.
 */
CG2P_API int cg2p_listing_end(cg2p_listing* listing, cg2p_error* error);

CG2P_API size_t cg2p_listing_count(const cg2p_listing* listing);
/* Rising addresses, one of each instruction. */
CG2P_API const uint64_t* cg2p_listing_addresses(const cg2p_listing* listing);
/* The texts of `n` instructions from instruction `i` on, a line of each. */
CG2P_API const char* cg2p_listing_texts(const cg2p_listing* listing,
                                        size_t i,
                                        size_t n,
                                        size_t* length);

/* Lists `n` instructions, at least one, by their rising addresses, and up to
 * `around` before and behind each, from the first to the last. A line is
 *
 *     | '-- 40112f: jne 401126
 *
 * with arrows from jumps to where they lead, if both are listed. No more than 8
 * are side by side, the shortest; others are not drawn. An empty line is where
 * instructions are left out. places[i] becomes the number of the line that has
 * addresses[i], from 0, and SIZE_MAX if no instruction begins there. The text
 * is the listing's, and stays until the next is made. NULL: there is no memory.
 */
CG2P_API const char* cg2p_listing_show(cg2p_listing* listing,
                                       const uint64_t* addresses,
                                       size_t n,
                                       size_t around,
                                       size_t* places,
                                       size_t* length,
                                       cg2p_error* error);

CG2P_API void cg2p_listing_free(cg2p_listing* listing);

#ifdef __cplusplus
}
#endif
#endif
