/* Symbols of Rust as paths: "_ZN1a1f17h0123456789abcdefE" is
 * "a::f::h0123456789abcdef". A profile has the symbol where two are the same
 * but for the hash. The rules are those of rustc's "legacy" mangling. */
#ifndef CG2P_RUST_H
#define CG2P_RUST_H

#include <stddef.h>

/* Writes to `room`, which has twice `length` bytes, a function's name in which
 * each symbol of Rust, also of callers, is a path. How many bytes that has; 0:
 * the name has no such symbol. */
size_t cg2p_rust_paths(const char* name, size_t length, char* room);

#endif
