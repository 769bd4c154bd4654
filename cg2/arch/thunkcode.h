/* The machine code of thunks, which the host's processor runs. */
#ifndef CG2_THUNKCODE_H
#define CG2_THUNKCODE_H

#include "base/vg.h"

/* No thunk is longer. */
enum { THUNK_BYTES = 52 };

/* Writes, at `code`, which is a multiple of 4, a thunk: it puts the two
 * arguments where VG_REGPARM(2) has them and jumps to `function`. If `first` is
 * 0, the thunk leaves the first argument as it is. Returns the end of the
 * thunk, a multiple of 4 where instructions have to be at one. */
UChar* cg2_thunkcode_write(UChar* code,
                           const void* function,
                           UWord first,
                           UWord second);

#endif
