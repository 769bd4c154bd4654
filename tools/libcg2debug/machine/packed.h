/* Machine code that computes several values at once, as that of a loop does
 * that was vectorised. */
#ifndef CG2D_PACKED_H
#define CG2D_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the instruction of x86 that `n` bytes begin with does; `is_long`: of
 * a processor with 64 bits. */
bool cg2d_packed_is_packed(const uint8_t* bytes, size_t n, bool is_long);

#endif
