/* Thunks: small pieces of machine code that go on to a function with arguments
 * that never change.
 *
 * Generated code computes the arguments of a call that depends on something
 * whether it makes the call or not. Constant arguments are put into a thunk
 * instead, so that they take time only when the call is made. */
#ifndef CG2_THUNK_H
#define CG2_THUNK_H

#include "base/vg.h"

/* Gives code that goes on to `function`, which takes two words in registers, as
 * VG_REGPARM(2) says: `first`, or, if that is 0, the one that the code is
 * called with, and `second`. If `before`, code that was given earlier, or NULL,
 * does just that, it is given again. Code lives until the process exits. NULL:
 * there are no thunks for this processor, or Valgrind's memory holds no code.
 */
void* cg2_thunk_code(void* before, void* function, UWord first, UWord second);

#endif
