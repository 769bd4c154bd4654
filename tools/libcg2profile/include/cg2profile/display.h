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
 * Functions that are shown together get different names: where two would be
 * equal, parameters are said, too; where that does not help, the whole name.
 */
#ifndef CG2PROFILE_DISPLAY_H
#define CG2PROFILE_DISPLAY_H

#include "common.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The names of functions that are shown together. */
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

#ifdef __cplusplus
}
#endif
#endif
