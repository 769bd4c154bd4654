/* Thunks: small pieces of machine code that go on to a function with arguments
 * that never change.
 *
 * Generated code computes the arguments of a call that depends on something
 * whether it makes the call or not. Constant arguments are put into a thunk
 * instead, so that they take time only when the call is made.
 *
 * The thunks of a piece of code are a *run*, one behind the other: all that has
 * to be remembered of them, for when the code is made again, is where the run
 * begins. */
#ifndef CG2_THUNK_H
#define CG2_THUNK_H

#include "base/vg.h"

/* A run while its thunks are given. */
typedef struct ThunkRun {
   void* start;  /* where the run begins; NULL: what was given is no run */
   UChar* again; /* thunks of an earlier run that were not given yet; NULL:
                    there was none, or it is another */
} ThunkRun;

/* Begins a run of at most `n` thunks. `before` is the start of the run that was
 * given earlier for the same purpose, or NULL. */
ThunkRun cg2_thunk_begin(void* before, UInt n);

/* Keeps a copy of `size` bytes of machine code, which may lie anywhere, until
 * the process exits. No run is being given. NULL: Valgrind's memory holds no
 * code. */
void* cg2_thunk_keep(const UChar* code, UInt size);

/* Gives code that goes on to `function`, which takes two words in registers, as
 * VG_REGPARM(2) says: `first`, or, if that is 0, the one that the code is
 * called with, and `second`. As long as the earlier run does just that, its
 * code is given again. Code lives until the process exits. NULL: there are no
 * thunks for this processor, or Valgrind's memory holds no code. */
void* cg2_thunk_code(ThunkRun* run, void* function, UWord first, UWord second);

#endif
